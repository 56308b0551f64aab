package io.kvrouter.http.settings;

/** A setting that can't be used. The message is one line that starts with the setting's full key. */
public final class SettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SettingException(String key, String problem) {
        this(key + ": " + problem);
    }

    /** With a message that names the key itself. */
    public SettingException(String message) {
        super(message.lines().findFirst().orElse("not usable"));
    }
}
