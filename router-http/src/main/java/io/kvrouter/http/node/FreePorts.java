package io.kvrouter.http.node;

import io.kvrouter.http.settings.NodeSettings.Ports;
import io.kvrouter.http.settings.SettingException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Looks whether a node's ports can be bound before anything starts, so that a taken one is one clear line. */
public final class FreePorts {
    private FreePorts() {}

    /** Tries each port once.
     *
     * @throws SettingException naming the setting whose port is taken
     */
    public static void require(Ports ports) {
        require("kvrouter.api-port", ports.host(), ports.api());
        ports.http2().ifPresent(port -> require("kvrouter.http2-port", ports.host(), port));
        require("kvrouter.management-port", ports.managementHost(), ports.management());
        require("kvrouter.remoting-port", ports.host(), ports.remoting());
    }

    private static void require(String key, String host, int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (IOException e) {
            throw new SettingException(key, "can't bind " + host + ":" + port + " (" + e.getMessage() + ")");
        }
    }
}
