package io.kvrouter.http.tokenizer.bpe;

/** Something in a tokenizer's file that the fast path does not know: the oracle must do its work. */
public final class NotByteLevelException extends Exception {
    private static final long serialVersionUID = 1L;

    NotByteLevelException(String what) {
        super(what);
    }
}
