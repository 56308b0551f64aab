package io.kvrouter.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The modules whose main code the rules are about, in the order of the arrows: each may use those before it. */
enum Module {
    CORE("router-core"),
    CLUSTER("router-cluster"),
    HTTP("router-http"),
    SIM("router-sim");

    /** The main code of all modules. */
    static final JavaClasses CODE = new ClassFileImporter()
            .withImportOption(location -> Arrays.stream(values()).anyMatch(module -> module.built(location)))
            .importPackages("io.kvrouter");

    private static final Path ROOT = Path.of("..");

    private final String directory;

    Module(String directory) {
        this.directory = directory;
    }

    /** The module that a class was built from; none for a class of a library. */
    static Optional<Module> of(JavaClass type) {
        return type.getSource()
                .flatMap(source -> Arrays.stream(values())
                        .filter(module -> module.built(Location.of(source.getUri())))
                        .findAny());
    }

    /** The module's classes, of those that were imported. */
    JavaClasses classes() {
        return CODE.that(DescribedPredicate.describe("in " + directory, type -> of(type).equals(Optional.of(this))));
    }

    /** Full names of the types that the module's source files are named after, {@code package-info} included. */
    Set<String> sources() {
        Path sources = ROOT.resolve(directory).resolve("src/main/java");
        if (!Files.isDirectory(sources)) {
            return Set.of();
        }
        try (var files = Files.walk(sources)) {
            return files.map(file -> sources.relativize(file).toString())
                    .filter(file -> file.endsWith(".java"))
                    .map(file ->
                            file.substring(0, file.length() - ".java".length()).replace('/', '.'))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** True where a class file comes from this module's build, be it from its directory of classes or from its jar. */
    private boolean built(Location location) {
        return location.contains("/" + directory + "/target/classes/")
                || location.contains("/" + directory + "/target/" + directory + "-");
    }
}
