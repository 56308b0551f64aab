package io.kvrouter.http.template.format;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** Dates by C's format, in the C locale and without a zone, as {@code datetime.now().strftime} gives them. */
public final class Strftime {
    private Strftime() {}

    public static String of(LocalDateTime time, String format) {
        var out = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char c = format.charAt(i);
            if (c != '%' || i + 1 == format.length()) {
                out.append(c);
                continue;
            }
            char flag = format.charAt(i + 1);
            boolean flagged = "-_0^#".indexOf(flag) >= 0 && i + 2 < format.length();
            i += flagged ? 2 : 1;
            String text = directive(time, format.charAt(i));
            out.append(flagged ? flagged(text, flag) : text);
        }
        return out.toString();
    }

    private static String flagged(String text, char flag) {
        return switch (flag) {
            case '-' -> text.replaceFirst("^[0 ]+(?=.)", "");
            case '_' -> leading(text, '0', ' ');
            case '0' -> leading(text, ' ', '0');
            default -> text.toUpperCase(Locale.ROOT);
        };
    }

    private static String leading(String text, char from, char to) {
        int end = 0;
        while (end < text.length() - 1 && text.charAt(end) == from) {
            end++;
        }
        return String.valueOf(to).repeat(end) + text.substring(end);
    }

    private static String directive(LocalDateTime t, char directive) {
        return switch (directive) {
            case 'Y', 'm', 'd', 'H', 'M', 'S', 'y', 'j', 'I', 'f', 'e', 'k', 'l', 'C' -> number(t, directive);
            case 'U', 'W', 'V', 'G', 'g', 'u', 'w' -> week(t, directive);
            case 'B' -> t.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'b', 'h' -> t.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
            case 'A' -> t.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'a' -> t.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
            case 'p' -> t.getHour() < 12 ? "AM" : "PM";
            case 'P' -> t.getHour() < 12 ? "am" : "pm";
            case 'c' -> of(t, "%a %b %e %H:%M:%S %Y");
            case 'x', 'D' -> of(t, "%m/%d/%y");
            case 'X', 'T' -> of(t, "%H:%M:%S");
            case 'F' -> of(t, "%Y-%m-%d");
            case 'R' -> of(t, "%H:%M");
            case 'r' -> of(t, "%I:%M:%S %p");
            case 's' -> String.valueOf(t.atZone(ZoneId.of("UTC")).toEpochSecond());
            case 'n' -> "\n";
            case 't' -> "\t";
            case 'z', 'Z' -> "";
            case '%' -> "%";
            default -> "%" + directive;
        };
    }

    private static String number(LocalDateTime t, char directive) {
        int hour12 = t.getHour() % 12 == 0 ? 12 : t.getHour() % 12;
        return switch (directive) {
            case 'Y' -> String.valueOf(t.getYear());
            case 'm' -> digits(t.getMonthValue(), 2);
            case 'd' -> digits(t.getDayOfMonth(), 2);
            case 'H' -> digits(t.getHour(), 2);
            case 'M' -> digits(t.getMinute(), 2);
            case 'S' -> digits(t.getSecond(), 2);
            case 'y' -> digits(t.getYear() % 100, 2);
            case 'C' -> digits(t.getYear() / 100, 2);
            case 'j' -> digits(t.getDayOfYear(), 3);
            case 'I' -> digits(hour12, 2);
            case 'f' -> digits(t.get(ChronoField.MICRO_OF_SECOND), 6);
            case 'e' -> leading(digits(t.getDayOfMonth(), 2), '0', ' ');
            case 'k' -> leading(digits(t.getHour(), 2), '0', ' ');
            default -> leading(digits(hour12, 2), '0', ' ');
        };
    }

    private static String week(LocalDateTime t, char directive) {
        int monday = t.getDayOfWeek().getValue() - 1;
        int sunday = t.getDayOfWeek().getValue() % 7;
        int day = t.getDayOfYear() - 1;
        return switch (directive) {
            case 'U' -> digits((day + 7 - sunday) / 7, 2);
            case 'W' -> digits((day + 7 - monday) / 7, 2);
            case 'V' -> digits(t.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2);
            case 'G' -> String.valueOf(t.get(IsoFields.WEEK_BASED_YEAR));
            case 'g' -> digits(t.get(IsoFields.WEEK_BASED_YEAR) % 100, 2);
            case 'u' -> String.valueOf(monday + 1);
            default -> String.valueOf(sunday);
        };
    }

    private static String digits(int number, int width) {
        String text = String.valueOf(number);
        return "0".repeat(Math.max(0, width - text.length())) + text;
    }
}
