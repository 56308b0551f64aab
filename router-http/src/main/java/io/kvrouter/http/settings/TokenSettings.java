package io.kvrouter.http.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * How prompts become tokens.
 *
 * @param directories of models, by the name under which requests ask for them
 * @param cacheBytes what tokens of parts of prompts may take; at most a quarter of the heap
 * @param threads that tokenize; 0 = one per core
 * @param queue prompts that may wait for one of them
 * @param askEngines whether engines are asked for the tokens of models without a directory
 * @param engineTimeout how long one of them may take
 */
public record TokenSettings(
        Map<String, Path> directories,
        long cacheBytes,
        int threads,
        int queue,
        boolean askEngines,
        Duration engineTimeout) {
    static final String MODELS = "models";

    private static final String DIRECTORY = "directory";
    private static final int SHARE_OF_HEAP = 4;

    public TokenSettings {
        directories = Map.copyOf(directories);
    }

    static TokenSettings read(SettingsReader settings) {
        return new TokenSettings(
                directories(settings),
                Math.min(
                        settings.read("tokens.cache-size", Config::getBytes),
                        Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP),
                settings.atLeast(0, "tokens.threads"),
                settings.atLeast(1, "tokens.queue"),
                settings.read("tokens.ask-engines", Config::getBoolean),
                settings.positive("tokens.engine-timeout"));
    }

    /** The full key of a model's directory. */
    public static String key(String model) {
        return SettingsReader.ROOT + "." + MODELS + "." + ConfigUtil.quoteString(model) + "." + DIRECTORY;
    }

    private static Map<String, Path> directories(SettingsReader settings) {
        Map<String, Path> directories = new TreeMap<>();
        for (String model : settings.read(MODELS, (c, key) -> c.getObject(key).keySet())) {
            String key = MODELS + "." + ConfigUtil.quoteString(model);
            for (String known : settings.read(key, (c, k) -> c.getObject(k).keySet())) {
                settings.require(key + "." + known, known.equals(DIRECTORY), "no such setting");
            }
            directories.put(model, directory(settings, key + "." + DIRECTORY));
        }
        return directories;
    }

    private static Path directory(SettingsReader settings, String key) {
        String text = settings.text(key);
        try {
            Path directory = Path.of(text);
            settings.require(key, Files.isDirectory(directory), text + " (expected: a model's directory)");
            return directory;
        } catch (InvalidPathException e) {
            throw new SettingException(SettingsReader.ROOT + "." + key, text + " (expected: a model's directory)");
        }
    }
}
