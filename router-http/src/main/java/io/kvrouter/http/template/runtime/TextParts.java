package io.kvrouter.http.template.runtime;

import io.kvrouter.http.template.operator.Arithmetic;
import io.kvrouter.http.template.python.PyText;
import io.kvrouter.http.template.python.TextLimit;
import io.kvrouter.http.template.python.Truth;

/**
 * Expressions whose text is written part by part. Most of a prompt passes through these: a message's text is copied
 * once, into the output, not once more for each operator around it.
 */
public final class TextParts {
    private TextParts() {}

    /** {@code a + b + c}, which is a text as long as its parts are; markup would change what is before it, too. */
    public static final class Sum implements Code {
        private final Code[] parts;

        public Sum(Code... parts) {
            this.parts = parts;
        }

        @Override
        public Object eval(Frame frame) {
            Object sum = parts[0].eval(frame);
            if (!(sum instanceof String first) || frame.render().mayHaveMarkup()) {
                return addAll(sum, 1, frame);
            }
            if (parts.length == 2) {
                return frame.render().charge(Arithmetic.add(first, parts[1].eval(frame)));
            }
            var out = new StringBuilder(first);
            for (int i = 1; i < parts.length; i++) {
                out.append(text(parts[i].eval(frame)));
                TextLimit.check(out.length());
            }
            return frame.render().charge(out.toString());
        }

        private Object addAll(Object first, int from, Frame frame) {
            Object sum = first;
            for (int i = from; i < parts.length; i++) {
                sum = frame.render().charge(Arithmetic.add(sum, parts[i].eval(frame)));
            }
            return sum;
        }

        @Override
        public void emit(Frame frame) {
            Object first = parts[0].eval(frame);
            if (!(first instanceof String start) || frame.render().mayHaveMarkup()) {
                frame.write(PyText.str(addAll(first, 1, frame)));
                return;
            }
            frame.write(start);
            for (int i = 1; i < parts.length; i++) {
                frame.write(text(parts[i].eval(frame)));
            }
        }

        /** What is no text can't be added to one, and is told so. */
        private static String text(Object value) {
            return value instanceof String text ? text : (String) Arithmetic.add("", value);
        }
    }

    /** {@code a ~ b ~ c}. */
    public static final class Concatenation implements Code {
        private final Code[] parts;

        public Concatenation(Code... parts) {
            this.parts = parts;
        }

        @Override
        public Object eval(Frame frame) {
            var out = new StringBuilder();
            for (Code part : parts) {
                out.append(PyText.str(part.eval(frame)));
                TextLimit.check(out.length());
            }
            return frame.render().charge(out.toString());
        }

        @Override
        public void emit(Frame frame) {
            for (Code part : parts) {
                part.emit(frame);
            }
        }
    }

    /** {@code value if condition else otherwise}. */
    public record Choice(Code condition, Code value, Code otherwise) implements Code {
        @Override
        public Object eval(Frame frame) {
            return (Truth.of(condition.eval(frame)) ? value : otherwise).eval(frame);
        }

        @Override
        public void emit(Frame frame) {
            (Truth.of(condition.eval(frame)) ? value : otherwise).emit(frame);
        }
    }
}
