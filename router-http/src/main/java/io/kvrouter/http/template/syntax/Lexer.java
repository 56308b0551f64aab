package io.kvrouter.http.template.syntax;

import io.kvrouter.http.template.python.Characters;
import io.kvrouter.http.template.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a template into text and tags, with jinja2's {@code trim_blocks} (the newline after a block or comment goes)
 * and {@code lstrip_blocks} (so does the indentation before one), and what {@code -} and {@code +} at a tag's ends say.
 */
final class Lexer {
    private static final Pattern NEWLINE = Pattern.compile("\r\n|\r");
    private static final Pattern OPENING = Pattern.compile("\\{[%{#]");
    private static final String SPACE =
            "[\\s\\x0b\\x1c-\\x1f\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*+";
    private static final Pattern RAW = Pattern.compile("[-+]?" + SPACE + "raw" + SPACE + "(?:-%}" + SPACE + "|%})");
    private static final Pattern END_RAW =
            Pattern.compile("\\{%([-+]?)" + SPACE + "endraw" + SPACE + "(?:\\+%}|-%}" + SPACE + "|%}\n?)");
    private static final Pattern END_COMMENT = Pattern.compile("\\+#}|-#}" + SPACE + "|#}\n?");

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;
    private int lineAt;

    private Lexer(String source) {
        this.source = source;
    }

    static List<Token> tokens(String template) {
        String source = NEWLINE.matcher(template).replaceAll("\n");
        var lexer = new Lexer(source.endsWith("\n") ? source.substring(0, source.length() - 1) : source);
        lexer.run();
        return lexer.tokens;
    }

    private void run() {
        Matcher opening = OPENING.matcher(source);
        while (opening.find(at)) {
            char type = source.charAt(opening.start() + 1);
            data(opening.start(), sign(opening.end()), type == '{');
            at = opening.end();
            switch (type) {
                case '#' -> comment();
                case '{' -> tag(Kind.VARIABLE_BEGIN, Kind.VARIABLE_END);
                default -> block();
            }
        }
        if (at < source.length()) {
            tokens.add(new Token(Kind.DATA, source.substring(at), line()));
        }
        tokens.add(new Token(Kind.END, "", line));
    }

    /** The text up to a tag, less what the tag strips of it. */
    private void data(int end, char sign, boolean variable) {
        String text = source.substring(at, end);
        if (sign == '-') {
            text = Characters.stripEnd(text);
        } else if (sign != '+' && !variable) {
            text = withoutIndentation(text);
        }
        if (!text.isEmpty()) {
            tokens.add(new Token(Kind.DATA, text, line()));
        }
    }

    private String withoutIndentation(String text) {
        int start = text.lastIndexOf('\n') + 1;
        boolean startsLine = start > 0 || at == 0 || source.charAt(at - 1) == '\n';
        return startsLine && Characters.strip(text.substring(start)).isEmpty() ? text.substring(0, start) : text;
    }

    private char sign(int position) {
        char c = position < source.length() ? source.charAt(position) : ' ';
        return c == '-' || c == '+' ? c : ' ';
    }

    /** One that the template ends with may stay open; so may raw text. */
    private void comment() {
        if (at == source.length()) {
            return;
        }
        Matcher end = END_COMMENT.matcher(source);
        if (!end.find(sign(at) == ' ' ? at : at + 1)) {
            throw new TemplateSyntaxException("Missing end of comment tag", line());
        }
        at = end.end();
    }

    private void block() {
        Matcher raw = RAW.matcher(source).region(at, source.length());
        if (raw.lookingAt()) {
            at = raw.end();
            raw();
        } else {
            tag(Kind.BLOCK_BEGIN, Kind.BLOCK_END);
        }
    }

    private void raw() {
        if (at == source.length()) {
            return;
        }
        Matcher end = END_RAW.matcher(source);
        if (!end.find(at)) {
            throw new TemplateSyntaxException("Missing end of raw directive", line());
        }
        data(end.start(), end.group(1).isEmpty() ? ' ' : end.group(1).charAt(0), false);
        at = end.end();
    }

    private void tag(Kind begin, Kind end) {
        tokens.add(new Token(begin, "", line()));
        at += sign(at) == ' ' ? 0 : 1;
        var tag = new TagLexer(source, at, end);
        int tagLine = line();
        while (!tag.isOver()) {
            tagLine = line();
            at = tag.next(tokens, tagLine);
        }
    }

    /** The line of the current position. */
    private int line() {
        for (; lineAt < at; lineAt++) {
            if (source.charAt(lineAt) == '\n') {
                line++;
            }
        }
        return line;
    }
}
