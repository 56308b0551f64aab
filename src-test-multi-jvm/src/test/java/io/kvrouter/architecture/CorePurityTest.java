package io.kvrouter.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** State, input and time go into router-core, the next state and the answer come out: nothing else does. */
class CorePurityTest {
    private static final Pattern CHANCE = Pattern.compile(String.join(
            "|",
            "java\\.lang\\.Math\\.random",
            "java\\.util\\.UUID\\.randomUUID",
            "java\\.util\\.(Splittable)?Random\\.<init>",
            "java\\.util\\.random\\.RandomGenerator\\.(of|getDefault)"));

    private static final Pattern NOW =
            Pattern.compile("java\\.lang\\.System\\.(currentTimeMillis|nanoTime)|java\\.time\\.\\w+\\.now");

    @Test
    void coreKnowsNoLibraryOfTheOuterModules() {
        never(resideInAnyPackage(
                "org.apache.pekko..",
                "scala..",
                "com.fasterxml..",
                "com.typesafe..",
                "io.netty..",
                "io.prometheus..",
                "org.slf4j.."));
    }

    @Test
    void coreDoesNoInputOrOutput() {
        never(resideInAnyPackage(
                "java.nio.file..", "java.nio.channels..", "java.net.http..", "java.util.logging..", "javax.net.."));
        never(nameMatching("java\\.io\\.(File|RandomAccessFile|Print|Console|Object(In|Out)).*"));
        never(nameMatching("java\\.net\\.(?!URI|URLEncoder|URLDecoder).*"));
    }

    @Test
    void coreIsToldTheTime() {
        never(nameMatching("java\\.time\\.(Clock|InstantSource)"));
        neverCalls("the time", NOW);
    }

    @Test
    void coreIsHandedItsChance() {
        never(nameMatching("java\\.util\\.concurrent\\.ThreadLocalRandom|java\\.security\\.SecureRandom"));
        never(nameMatching("java\\.util\\.random\\.RandomGeneratorFactory"));
        neverCalls("chance", CHANCE);
    }

    @Test
    void coreStartsNoThread() {
        never(nameMatching("java\\.lang\\.Thread|java\\.util\\.Timer"));
        never(nameMatching("java\\.util\\.concurrent\\.(.*Executor.*|ForkJoin.*|CompletableFuture)"));
    }

    private static void never(DescribedPredicate<? super JavaClass> what) {
        noClasses()
                .should()
                .dependOnClassesThat(are(what))
                .as("router-core should not depend on classes that " + what.getDescription())
                .check(Module.CORE.classes());
    }

    private static void neverCalls(String what, Pattern calls) {
        noClasses()
                .should()
                .accessTargetWhere(DescribedPredicate.<JavaAccess<?>>describe(
                        "ask for " + what,
                        access -> access.getTarget() instanceof CodeUnitCallTarget target
                                && calls.matcher(target.getOwner().getName() + "." + target.getName())
                                        .matches()))
                .as("router-core should not ask for " + what)
                .check(Module.CORE.classes());
    }
}
