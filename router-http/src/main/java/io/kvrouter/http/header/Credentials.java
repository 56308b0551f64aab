package io.kvrouter.http.header;

/** The headers by which clients show who they are: OpenAI's and Anthropic's. */
public final class Credentials {
    /** {@code Authorization: Bearer KEY}. */
    public static final String AUTHORIZATION = "authorization";

    /** Anthropic's {@code x-api-key: KEY}. */
    public static final String API_KEY = "x-api-key";

    private Credentials() {}

    /** Whether this is one of them; also with _ for -, as what is behind a worker may read it. */
    public static boolean isOne(Header header) {
        String name = header.key().replace('_', '-');
        return name.equals(AUTHORIZATION) || name.equals(API_KEY);
    }
}
