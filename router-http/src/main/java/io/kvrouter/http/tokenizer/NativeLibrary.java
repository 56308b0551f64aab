package io.kvrouter.http.tokenizer;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Loads Hugging Face's library out of its jar, once.
 *
 * <p>Through a folder of this process, readable by nobody else and removed at once: the wrapper's own way keeps the
 * file in a cache under the home folder, looks for CUDA, may download another build and tells its makers of the start.
 */
final class NativeLibrary {
    private static @Nullable TokenizersLibrary loaded;

    private NativeLibrary() {}

    /** @throws IOException what stands in the way of loading it */
    static synchronized TokenizersLibrary get() throws IOException {
        if (loaded == null) {
            loaded = load();
        }
        return loaded;
    }

    private static TokenizersLibrary load() throws IOException {
        String name = System.mapLibraryName("tokenizers");
        String resource = "native/lib/" + platform() + "/cpu/" + name;
        try (InputStream library = TokenizersLibrary.class.getClassLoader().getResourceAsStream(resource)) {
            if (library == null) {
                throw new IOException("no tokenizer library for " + platform());
            }
            loadFrom(library, name);
            return TokenizersLibrary.LIB;
        }
    }

    private static void loadFrom(InputStream library, String name) throws IOException {
        try {
            Path folder = Files.createTempDirectory("kvrouter-tokenizers");
            Path file = folder.resolve(name);
            try {
                Files.copy(library, file);
                System.load(file.toString());
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        } catch (IOException | UnsatisfiedLinkError e) {
            throw new IOException(
                    "the tokenizer library can't be loaded through " + System.getProperty("java.io.tmpdir")
                            + " (expected: a folder that can be written and run from; set -Djava.io.tmpdir)",
                    e);
        }
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replaceFirst("^mac.*", "osx");
        return system + "-" + System.getProperty("os.arch").replace("amd64", "x86_64");
    }
}
