package io.kvrouter.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine is played by a PATH of a few tools, a directory of JDKs, and a copy of the script in an empty tree. */
class RouterScriptTest {
    private static final Path SCRIPT = Path.of("../router").toAbsolutePath().normalize();
    private static final List<String> TOOLS =
            List.of("bash", "dirname", "env", "find", "mkdir", "readlink", "rm", "tail", "touch");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path machine;

    @BeforeEach
    void installTools() throws IOException {
        Files.createDirectories(machine.resolve("bin"));
        Files.createDirectories(machine.resolve("jvm"));
        Files.createDirectories(machine.resolve("tree"));
        for (String tool : TOOLS) {
            installProgram("bin/" + tool, "exec " + find(tool) + " \"$@\"");
        }
        Files.copy(SCRIPT, machine.resolve("tree/router"));
    }

    @Test
    void withoutAnyJdkItSaysWhereItLooked() throws Exception {
        var answer = run("tree/router", "--help");

        assertThat(answer)
                .isEqualTo(new Answer(
                        1,
                        "router: no JDK 21 or newer found (looked at JAVA_HOME, the java on PATH and " + jvms()
                                + "/*): install one, or set JAVA_HOME to it\n"));
    }

    @Test
    void aJdkThatIsTooOldIsNone() throws Exception {
        installJdk("old", "17.0.9");

        var answer = run("tree/router", "--help");

        assertThat(answer.text()).startsWith("router: no JDK 21 or newer found");
    }

    @Test
    void withoutMavenItSaysThatItNeedsIt() throws Exception {
        installJdk("new", "25.0.1");

        var answer = run("tree/router", "test");

        assertThat(answer)
                .isEqualTo(
                        new Answer(1, "router: no mvn on PATH: install Maven 3.8.7 or newer, it is needed to build\n"));
    }

    @Test
    void theNewestJdkRunsTheBuild() throws Exception {
        installJdk("a", "21.0.2");
        installJdk("b", "25.0.1");
        installJdk("c", "17.0.9");
        installProgram("bin/mvn", "echo \"$JAVA_HOME $PWD $*\"");

        var answer = run("tree/router", "test", "-o");

        assertThat(answer)
                .isEqualTo(new Answer(
                        0,
                        jvms().resolve("b") + " " + machine.resolve("tree") + " -B -Dstyle.color=never verify -o\n"));
    }

    @Test
    void itFormatsTheCodeToo() throws Exception {
        installJdk("new", "25.0.1");
        installProgram("bin/mvn", "echo \"$JAVA_HOME $*\"");

        var answer = run("tree/router", "format", "-pl", "router-core");

        assertThat(answer)
                .isEqualTo(new Answer(
                        0, jvms().resolve("new") + " -B -Dstyle.color=never spotless:apply -pl router-core\n"));
    }

    @Test
    void aFailingTestRunFailsTheScript() throws Exception {
        installJdk("new", "25.0.1");
        installProgram("bin/mvn", "exit 7");

        var answer = run("tree/router", "test");

        assertThat(answer).isEqualTo(new Answer(7, ""));
    }

    @Test
    void throughALinkItBuildsItsOwnTreeAndShowsWhatFailed() throws Exception {
        installJdk("new", "25.0.1");
        installProgram("bin/mvn", "echo \"broken in $PWD\"; exit 1");
        Files.createSymbolicLink(machine.resolve("elsewhere"), machine.resolve("tree/router"));

        var answer = run("elsewhere", "demo");

        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.text()).contains("broken in " + machine.resolve("tree"), "router: the build failed");
    }

    @Test
    void whatIsPackedRunsWithoutMavenAndWithoutACompiler() throws Exception {
        installJdk("new", "25.0.1");
        installProgram("jvm/new/bin/java", "echo \"$*\"");
        Files.delete(jvms().resolve("new/bin/javac"));
        Files.createDirectories(machine.resolve("tree/lib"));

        var answer = run("tree/router", "node");

        assertThat(answer)
                .isEqualTo(new Answer(
                        0,
                        "--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED -cp "
                                + machine.resolve("tree") + "/lib/* io.kvrouter.cli.Main node\n"));
        assertThat(run("tree/router", "test").text()).isEqualTo("router: test: only where the sources are\n");
    }

    @Test
    void itPacksTheProductWithTheLibrariesAndWhatIsToBeRead() throws Exception {
        installJdk("new", "25.0.1");
        for (String tool : List.of("cp", "mv", "tar", "gzip")) {
            installProgram("bin/" + tool, "exec " + find(tool) + " \"$@\"");
        }
        installProgram(
                "bin/mvn", "mkdir -p router-sim/target/lib; touch router-sim/target/{router-sim-1.2.jar,lib/a.jar}");
        for (String file : List.of("pom.xml", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE")) {
            Files.createFile(machine.resolve("tree").resolve(file));
        }
        Files.createDirectories(machine.resolve("tree/conf"));
        Files.createDirectories(machine.resolve("tree/docs"));

        var answer = run("tree/router", "dist");

        Path packed = machine.resolve("tree/router-sim/target/kv-router-1.2.tar.gz");
        assertThat(answer.text()).endsWith(packed + "\n");
        assertThat(answer.status()).isZero();
        assertThat(run("bin/tar", "-tzf", packed.toString()).text().lines())
                .contains(
                        "kv-router-1.2/router",
                        "kv-router-1.2/lib/a.jar",
                        "kv-router-1.2/lib/router-sim-1.2.jar",
                        "kv-router-1.2/conf/",
                        "kv-router-1.2/docs/",
                        "kv-router-1.2/README.md",
                        "kv-router-1.2/LICENSE");
    }

    private record Answer(int status, String text) {}

    private Answer run(String script, String... arguments) throws Exception {
        var command = Stream.concat(Stream.of(machine.resolve(script).toString()), Stream.of(arguments));
        Path output = machine.resolve("output");
        var builder = new ProcessBuilder(command.toList())
                .directory(machine.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA_HOME", "MAVEN_OPTS", "KVROUTER_JAVA_OPTS"));
        builder.environment().putAll(Map.of("PATH", machine.resolve("bin") + "", "KVROUTER_JVM_DIR", jvms() + ""));
        int status = builder.start().waitFor();
        return new Answer(status, Files.readString(output, UTF_8));
    }

    private Path jvms() {
        return machine.resolve("jvm");
    }

    private void installJdk(String name, String version) throws IOException {
        installProgram("jvm/" + name + "/bin/java", "exit 0");
        installProgram("jvm/" + name + "/bin/javac", "exit 0");
        Files.writeString(jvms().resolve(name).resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    }

    private void installProgram(String name, String body) throws IOException {
        Path program = machine.resolve(name);
        Files.createDirectories(program.resolveSibling("."));
        Files.writeString(program, "#!" + find("bash") + "\n" + body + "\n");
        if (!program.toFile().setExecutable(true)) {
            throw new IOException("not made executable: " + program);
        }
    }

    private static Path find(String tool) {
        return Stream.of("/bin", "/usr/bin")
                .map(directory -> Path.of(directory, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }
}
