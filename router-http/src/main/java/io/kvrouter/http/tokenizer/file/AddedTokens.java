package io.kvrouter.http.tokenizer.file;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds added tokens in a text: the leftmost first, of those that start there the longest. */
public final class AddedTokens {
    /** Takes the parts of a text, in order; no part is empty. */
    public interface Parts {
        void text(int from, int to);

        void token(int id);
    }

    private static final int NOTHING = -1;

    private final Node root = new Node();

    public AddedTokens(Collection<AddedToken> tokens) {
        for (AddedToken token : tokens) {
            if (!token.content().isEmpty()) {
                root.put(token.content(), token.id());
            }
        }
    }

    public boolean isEmpty() {
        return root.children.isEmpty();
    }

    public void split(String text, Parts parts) {
        var starts = new Starts(text);
        int done = 0;
        int at = starts.next(0);
        while (at < text.length()) {
            Match match = root.longest(text, at);
            if (match == null) {
                at = starts.next(at + 1);
                continue;
            }
            if (at > done) {
                parts.text(done, at);
            }
            parts.token(match.id());
            done = match.end();
            at = starts.next(done);
        }
        if (done < text.length()) {
            parts.text(done, text.length());
        }
    }

    /** Whether one of them is in the text. */
    public boolean in(String text) {
        var starts = new Starts(text);
        for (int at = starts.next(0); at < text.length(); at = starts.next(at + 1)) {
            if (root.longest(text, at) != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * Where in a text one of them may start. They mostly have one first character or two, and to search for each is
     * many times faster than to look at every character of a long text.
     */
    private final class Starts {
        private final String text;
        private final char[] characters;
        private final int[] found;

        Starts(String text) {
            this.text = text;
            this.characters = new char[root.children.size()];
            this.found = new int[characters.length];
            int i = 0;
            for (char character : root.children.keySet()) {
                characters[i] = character;
                found[i++] = NOTHING;
            }
        }

        /** The first such place from there on; the text's length if there is none. */
        int next(int from) {
            int next = text.length();
            for (int i = 0; i < characters.length; i++) {
                if (found[i] < from) {
                    int at = text.indexOf(characters[i], from);
                    found[i] = at < 0 ? text.length() : at;
                }
                next = Math.min(next, found[i]);
            }
            return next;
        }
    }

    private record Match(int id, int end) {}

    private static final class Node {
        private final Map<Character, Node> children = new HashMap<>();
        private int id = NOTHING;

        void put(String content, int value) {
            Node node = this;
            for (int i = 0; i < content.length(); i++) {
                node = node.children.computeIfAbsent(content.charAt(i), c -> new Node());
            }
            node.id = value;
        }

        @Nullable
        Match longest(String text, int from) {
            Match longest = null;
            Node node = children.get(text.charAt(from));
            for (int at = from + 1; node != null; at++) {
                if (node.id != NOTHING) {
                    longest = new Match(node.id, at);
                }
                node = at < text.length() ? node.children.get(text.charAt(at)) : null;
            }
            return longest;
        }
    }
}
