package io.kvrouter.http.node;

import com.typesafe.config.Config;
import io.kvrouter.http.access.AccessSettings;
import io.kvrouter.http.settings.NodeSettings.Ports;
import io.kvrouter.http.tls.NodeTls;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** By what a node knows others, and they know it: keys and certificates. */
record NodeTrust(NodeAccess access, NodeTls tls) {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTrust.class);

    /** Reads all files; throws {@link io.kvrouter.http.settings.SettingException} for the first that can't be used. */
    static NodeTrust load(Config config, AccessSettings access) {
        return new NodeTrust(NodeAccess.load(access, System.getenv()), NodeTls.open(config));
    }

    /** Looks at the files from now on, as long as the actor system runs. Says who may do what, and what is encrypted. */
    void start(ActorSystem<?> system, Ports ports) {
        access.start(system);
        tls.watch(system);
        access.tell(ports, tls);
        LOG.info("{}", tls.told());
    }
}
