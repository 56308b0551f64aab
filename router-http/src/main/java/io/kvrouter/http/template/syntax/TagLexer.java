package io.kvrouter.http.template.syntax;

import io.kvrouter.http.template.python.Characters;
import io.kvrouter.http.template.python.NumberText;
import io.kvrouter.http.template.syntax.Token.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tokens between a tag's ends. */
final class TagLexer {
    private static final String DIGITS = "(?:\\d+_)*\\d+";
    private static final Pattern FLOAT = Pattern.compile(
            "(?<!\\.)" + DIGITS + "(?:(?:\\." + DIGITS + ")?[eE][+-]?" + DIGITS + "|\\." + DIGITS + ")");
    private static final Pattern INTEGER = Pattern.compile(
            "0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\\da-f])+|[1-9](?:_?\\d)*|0(?:_?0)*", Pattern.CASE_INSENSITIVE);
    private static final Pattern NAME = Pattern.compile("[\\w\\p{L}\\p{Nl}\\p{Mn}\\p{Mc}\\p{Nd}\\p{Pc}]+");
    private static final Pattern STRING =
            Pattern.compile("'[^'\\\\]*+(?:\\\\.[^'\\\\]*+)*+'|\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"", Pattern.DOTALL);
    private static final Pattern OPERATOR = Pattern.compile("//|\\*\\*|[=!><]=|[-+/*%~\\[\\](){}><=.:|,;]");

    private final String source;
    private final Kind end;
    private final Matcher matcher;
    private final Deque<String> open = new ArrayDeque<>();
    private int at;
    private boolean over;

    TagLexer(String source, int at, Kind end) {
        this.source = source;
        this.at = at;
        this.end = end;
        this.matcher = FLOAT.matcher(source).useTransparentBounds(true);
    }

    boolean isOver() {
        return over;
    }

    /** Adds the next token, if there is one here and not just white space; the position after it. */
    int next(List<Token> tokens, int line) {
        if (at == source.length()) {
            over = true;
            return at;
        }
        int after = open.isEmpty() ? end() : -1;
        if (after >= 0) {
            tokens.add(new Token(end, "", line));
            over = true;
            at = after;
        } else if (Characters.isSpace(source.charAt(at))) {
            skipSpace();
        } else {
            tokens.add(token(line));
            at = matcher.end();
        }
        return at;
    }

    private int end() {
        String close = end == Kind.BLOCK_END ? "%}" : "}}";
        if (source.startsWith(close, at)) {
            int after = at + 2;
            return end == Kind.BLOCK_END && source.startsWith("\n", after) ? after + 1 : after;
        }
        if (source.startsWith("-" + close, at)) {
            int after = at + 3;
            while (after < source.length() && Characters.isSpace(source.charAt(after))) {
                after++;
            }
            return after;
        }
        return end == Kind.BLOCK_END && source.startsWith("+" + close, at) ? at + 3 : -1;
    }

    private void skipSpace() {
        while (at < source.length() && Characters.isSpace(source.charAt(at))) {
            at++;
        }
    }

    private Token token(int line) {
        if (is(FLOAT)) {
            String text = matcher.group().replace("_", "");
            return new Token(Kind.NUMBER, matcher.group(), Double.valueOf(text), line);
        }
        if (is(INTEGER)) {
            Object value = NumberText.integer(matcher.group(), 0);
            if (value == null) {
                throw new TemplateSyntaxException("an integer literal of too many digits", line);
            }
            return new Token(Kind.NUMBER, matcher.group(), value, line);
        }
        if (is(NAME)) {
            return new Token(Kind.NAME, matcher.group(), line);
        }
        if (is(STRING)) {
            String text = matcher.group();
            return new Token(Kind.STRING, StringLiteral.read(text.substring(1, text.length() - 1), line), line);
        }
        if (is(OPERATOR)) {
            balance(matcher.group(), line);
            return new Token(Kind.OPERATOR, matcher.group(), line);
        }
        throw new TemplateSyntaxException("unexpected char '" + Character.toString(source.codePointAt(at)) + "'", line);
    }

    private boolean is(Pattern pattern) {
        return matcher.usePattern(pattern).region(at, source.length()).lookingAt();
    }

    private void balance(String operator, int line) {
        switch (operator) {
            case "{" -> open.push("}");
            case "(" -> open.push(")");
            case "[" -> open.push("]");
            case "}", ")", "]" -> {
                String expected = open.poll();
                if (!operator.equals(expected)) {
                    String rest = expected == null ? "" : ", expected '" + expected + "'";
                    throw new TemplateSyntaxException("unexpected '" + operator + "'" + rest, line);
                }
            }
            default -> {}
        }
    }
}
