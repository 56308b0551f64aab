package io.kvrouter.sim.proxy;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the id of the latest request in what passes, however it is cut. */
final class RequestIds {
    private static final Pattern ID = Pattern.compile("(?i)\r\nx-request-id: ([^\r\n]{1,64})\r\n");
    private static final int LONGEST = 96;

    private String rest = "";
    private String latest = "";

    /** Whether these bytes begin another request. */
    boolean see(byte[] bytes, int length) {
        String text = rest + new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        Matcher found = ID.matcher(text);
        boolean any = false;
        int end = 0;
        while (found.find()) {
            latest = found.group(1);
            end = found.end() - 2; // its line's end may begin the next one's
            any = true;
        }
        rest = text.substring(Math.max(end, text.length() - LONGEST));
        return any;
    }

    /** Empty before the first. */
    String latest() {
        return latest;
    }
}
