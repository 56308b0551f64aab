package io.kvrouter.session.world;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Whole lives of small clusters by chance. A failure names its seed and tells what happened last; {@code -Dworld.seeds=N}
 * runs more of them, {@code -Dworld.first=N} starts at another.
 */
class WorldTest {
    private static final int SEEDS = Integer.getInteger("world.seeds", 60);
    private static final int FIRST = Integer.getInteger("world.first", 0);
    private static final int TOLD = Integer.getInteger("world.told", 120);

    enum Kind {
        CALM,
        LOSSY,
        TROUBLED,
        TROUBLED_WITHOUT_LOSSES,
        TROUBLED_AND_BOUNDED,
        TROUBLED_AND_ONE_CLOCK_STEPPED
    }

    @TestFactory
    List<DynamicTest> everyWorldKeepsTheLaws() {
        return Arrays.stream(Kind.values())
                .map(kind -> DynamicTest.dynamicTest(kind.name(), () -> {
                    for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
                        run(seed, kind);
                    }
                }))
                .toList();
    }

    static void run(long seed, Kind kind) {
        try {
            new Story(new World(seed, settings(kind), false).start(4), troubled(kind)).tell();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e + "\n" + story(seed, kind), e);
        }
    }

    private static String story(long seed, Kind kind) {
        var world = new World(seed, settings(kind), true).start(4);
        try {
            new Story(world, troubled(kind)).tell();
        } catch (AssertionError | RuntimeException again) {
            world.say(again::toString);
        }
        var trace = world.trace();
        return trace.stream().skip(Math.max(0, trace.size() - TOLD)).collect(Collectors.joining("\n"));
    }

    private static boolean troubled(Kind kind) {
        return kind != Kind.CALM && kind != Kind.LOSSY;
    }

    private static WorldSettings settings(Kind kind) {
        var usual = WorldSettings.usual();
        return switch (kind) {
            case CALM, TROUBLED_WITHOUT_LOSSES -> usual.lossless();
            case LOSSY, TROUBLED -> usual;
            case TROUBLED_AND_BOUNDED -> usual.withBound(2);
            case TROUBLED_AND_ONE_CLOCK_STEPPED -> usual.withSteppedClock(20_000);
        };
    }
}
