package io.kvrouter.cli;

import picocli.CommandLine.Option;

/** The first port of each kind in a demo; the nodes and workers after the first take the ports that follow. */
final class DemoPorts {
    @Option(names = "--api-port", defaultValue = "30000", description = "First API port (default: ${DEFAULT-VALUE}).")
    int api;

    @Option(
            names = "--management-port",
            defaultValue = "7626",
            description = "First management port (default: ${DEFAULT-VALUE}).")
    int management;

    @Option(
            names = "--remoting-port",
            defaultValue = "17355",
            description = "First remoting port (default: ${DEFAULT-VALUE}).")
    int remoting;

    @Option(
            names = "--worker-port",
            defaultValue = "31000",
            description = "Port of the first simulated worker (default: ${DEFAULT-VALUE}).")
    int worker;
}
