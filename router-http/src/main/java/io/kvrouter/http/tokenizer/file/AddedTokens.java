package io.kvrouter.http.tokenizer.file;

import java.util.BitSet;
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

    /** Their first characters: most characters of a text are none of them, and cost no more than a look here. */
    private final BitSet first = new BitSet();

    public AddedTokens(Collection<AddedToken> tokens) {
        for (AddedToken token : tokens) {
            if (!token.content().isEmpty()) {
                root.put(token.content(), token.id());
                first.set(token.content().charAt(0));
            }
        }
    }

    public boolean isEmpty() {
        return root.children.isEmpty();
    }

    public void split(String text, Parts parts) {
        int done = 0;
        int at = isEmpty() ? text.length() : 0;
        while (at < text.length()) {
            Match match = at(text, at);
            if (match == null) {
                at++;
                continue;
            }
            if (at > done) {
                parts.text(done, at);
            }
            parts.token(match.id());
            at = match.end();
            done = at;
        }
        if (done < text.length()) {
            parts.text(done, text.length());
        }
    }

    /** Whether one of them is in the text. */
    public boolean in(String text) {
        for (int at = 0; at < text.length() && !isEmpty(); at++) {
            if (at(text, at) != null) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Match at(String text, int from) {
        return first.get(text.charAt(from)) ? root.longest(text, from) : null;
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
