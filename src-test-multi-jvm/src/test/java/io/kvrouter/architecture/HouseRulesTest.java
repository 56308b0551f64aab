package io.kvrouter.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.Serializable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the house says about names and habits, in the main code of all modules. */
class HouseRulesTest {
    private static final Pattern EMPTY_WORD = Pattern.compile(".*(Manager|Helper|Utils?|Impl|Service|Handler)");
    private static final Pattern EMPTY_PACKAGE = Pattern.compile(".*\\.(utils?|impl|helpers?|common|misc)(\\..*)?");

    @Test
    void aTypeIsNamedAfterWhatItIs() {
        assertThat(types().filter(
                                type -> EMPTY_WORD.matcher(type.getSimpleName()).matches()))
                .as("types named Manager, Helper, Util, Impl, Service or Handler")
                .isEmpty();
    }

    @Test
    void aPackageIsNamedAfterTheDomain() {
        assertThat(types().map(JavaClass::getPackageName)
                        .filter(name -> EMPTY_PACKAGE.matcher(name).matches()))
                .as("packages named util, impl, helper, common or misc")
                .isEmpty();
    }

    @Test
    void nobodyPrintsPastTheLoggerAndTheCommandLine() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .as("main code should not use System.out, System.err or printStackTrace")
                .check(Module.CODE);
    }

    @Test
    void nobodySleeps() {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", long.class, int.class)
                .orShould()
                .callMethod(Thread.class, "sleep", java.time.Duration.class)
                .as("main code should not call Thread.sleep")
                .check(Module.CODE);
    }

    @Test
    void messagesTravelAsCborNotByJavaSerialization() {
        noClasses()
                .that()
                .areAssignableTo(simpleName("CborSerializable"))
                .should()
                .beAssignableTo(Serializable.class)
                .as("messages should not be java.io.Serializable")
                .allowEmptyShould(true)
                .check(Module.CODE);
    }

    private static Stream<JavaClass> types() {
        return Module.CODE.stream().filter(type -> !type.isAnonymousClass());
    }
}
