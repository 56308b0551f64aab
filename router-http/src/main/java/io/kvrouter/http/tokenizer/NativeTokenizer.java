package io.kvrouter.http.tokenizer;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Hugging Face's own tokenizer, called through the native half of DJL's wrapper: the oracle for what a model's ids are,
 * at about half a million tokens a second.
 *
 * <p>Without truncation and padding, whatever the file says of them: engines give a request's prompt whole. Safe for
 * use by several threads.
 */
final class NativeTokenizer implements AutoCloseable {
    private final TokenizersLibrary library;
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
    private final long handle;
    private boolean closed;

    private NativeTokenizer(TokenizersLibrary library, String json) {
        this.library = library;
        this.handle = library.createTokenizerFromString(json);
        library.disablePadding(handle);
        library.disableTruncation(handle);
    }

    /**
     * Reads a {@code tokenizer.json}.
     *
     * @throws IOException if the library can't make sense of it, or can't be loaded
     */
    static NativeTokenizer of(String json) throws IOException {
        TokenizersLibrary library = NativeLibrary.get();
        try {
            return new NativeTokenizer(library, json);
        } catch (RuntimeException e) {
            throw new IOException("not a tokenizer: " + e.getMessage(), e);
        }
    }

    /**
     * The ids of a text, added tokens in it recognised.
     *
     * @param special also what the model wants around a text of its own: a token for its beginning, mostly
     */
    int[] tokens(String text, boolean special) {
        use.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("tokenizer: closed");
            }
            long encoding = library.encode(handle, text, special);
            try {
                return narrow(library.getTokenIds(encoding));
            } finally {
                library.deleteEncoding(encoding);
            }
        } finally {
            use.readLock().unlock();
        }
    }

    private static int[] narrow(long[] ids) {
        int[] narrow = new int[ids.length];
        for (int i = 0; i < ids.length; i++) {
            narrow[i] = (int) ids[i];
        }
        return narrow;
    }

    @Override
    public void close() {
        use.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                library.deleteTokenizer(handle);
            }
        } finally {
            use.writeLock().unlock();
        }
    }
}
