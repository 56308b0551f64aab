package io.kvrouter.http.header;

import org.apache.pekko.http.scaladsl.model.headers.CustomHeader;

/**
 * A header that Pekko HTTP writes as it is. Its own raw header refuses Server and Content-Type, and its models write
 * them in their own spelling ({@code application/json; charset=utf-8} would lose its parameter).
 */
public final class VerbatimHeader extends CustomHeader {
    private final Header header;

    /** Wraps a field that was checked at construction. */
    public VerbatimHeader(Header header) {
        this.header = header;
    }

    @Override
    public String name() {
        return header.name();
    }

    @Override
    public String value() {
        return header.value();
    }

    @Override
    public String lowercaseName() {
        return header.key();
    }

    @Override
    public boolean renderInRequests() {
        return true;
    }

    @Override
    public boolean renderInResponses() {
        return true;
    }
}
