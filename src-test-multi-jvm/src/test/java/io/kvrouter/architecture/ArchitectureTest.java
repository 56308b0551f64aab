package io.kvrouter.architecture;

import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.properties.HasName;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where code may live, and which way its arrows go. */
class ArchitectureTest {
    private static final int TYPES_IN_A_PACKAGE = 14;

    @ParameterizedTest
    @EnumSource(Module.class)
    void theRulesSeeEveryClassThatAModuleHasASourceOf(Module module) {
        var seen = module.classes().stream().map(HasName::getName).toList();

        assertThat(seen).as("classes of " + module).containsAll(module.sources());
    }

    @Test
    void theRulesSeeSomethingAtAll() {
        assertThat(Stream.of(Module.values()).flatMap(module -> module.sources().stream()))
                .as("sources")
                .isNotEmpty();
        assertThat(Module.CODE).as("classes").isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(Module.class)
    void aModuleUsesOnlyThoseBeforeIt(Module module) {
        var later = DescribedPredicate.<JavaClass>describe(
                "in a later module",
                type -> Module.of(type)
                        .filter(other -> other.compareTo(module) > 0)
                        .isPresent());

        noClasses()
                .should()
                .dependOnClassesThat(are(later))
                .as(module + " should depend on no later module")
                .allowEmptyShould(true)
                .check(module.classes());
    }

    @ParameterizedTest
    @EnumSource(Module.class)
    void thePackagesOfAModuleFormNoCycle(Module module) {
        slices().matching("io.kvrouter.(**)")
                .should()
                .beFreeOfCycles()
                .as("packages of " + module + " should form no cycle")
                .allowEmptyShould(true)
                .check(module.classes());
    }

    @Test
    void aPackageLivesInOneModule() {
        var homes = Module.CODE.stream().collect(groupingBy(JavaClass::getPackageName, mapping(Module::of, toSet())));

        assertThat(homes.entrySet())
                .as("packages spread over modules")
                .filteredOn(home -> home.getValue().size() > 1)
                .isEmpty();
    }

    @Test
    void aPackageHoldsFewTypes() {
        var sizes = Module.CODE.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(groupingBy(JavaClass::getPackageName, counting()));

        assertThat(sizes.entrySet())
                .as("packages of more than " + TYPES_IN_A_PACKAGE + " top-level types")
                .filteredOn((Map.Entry<String, Long> size) -> size.getValue() > TYPES_IN_A_PACKAGE)
                .isEmpty();
    }

    @Test
    void everyPackageIsDescribedAndNullMarked() {
        var packages = Module.CODE.stream().map(JavaClass::getPackage).distinct();

        assertThat(packages.filter(it -> !nullMarked(it)).map(JavaPackage::getName))
                .as("packages without a @NullMarked package-info")
                .isEmpty();
    }

    private static boolean nullMarked(JavaPackage it) {
        return it.tryGetPackageInfo()
                .filter(info -> info.isAnnotatedWith(NullMarked.class))
                .isPresent();
    }
}
