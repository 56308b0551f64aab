package io.kvrouter.http.upstream.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvrouter.http.testing.MockWorker;
import io.kvrouter.http.testing.Plane;
import io.kvrouter.http.testing.TestAuthority;
import io.kvrouter.http.upstream.UpstreamFailure;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class UpstreamTlsTest extends UpstreamCalls {
    private static final TestAuthority AUTHORITY = new TestAuthority();
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @BeforeAll
    static void start() {
        plane = new Plane("", AUTHORITY.context(AUTHORITY.issue("router")));
    }

    @AfterAll
    static void stop() throws Exception {
        plane.close();
    }

    private static MockWorker worker(SSLContext tls) throws Exception {
        return new MockWorker(
                peer -> {
                    while (true) {
                        peer.readMessage();
                        peer.send(OK);
                    }
                },
                tls);
    }

    private static MockWorker worker(HeldCertificate certificate) throws Exception {
        return worker(AUTHORITY.context(certificate));
    }

    private static URI at(String host, MockWorker worker) {
        return URI.create("https://" + host + ":" + worker.port());
    }

    @Test
    void keepsConnectionsToAWorkerThatIsWhoItSays() throws Exception {
        try (MockWorker worker = worker(AUTHORITY.issue("127.0.0.1"))) {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(answer(post(worker)));
            }

            assertThat(answers).containsOnly("ok");
            assertThat(worker.accepted()).isLessThanOrEqualTo(2 * 2); // a loop's connection may be met by a late ticket
        }
    }

    @Test
    void tellsTheHostAndChecksIt() throws Exception {
        try (MockWorker worker = worker(AUTHORITY.issue("localhost"))) {
            AtomicReference<String> told = new AtomicReference<>("");
            worker.follow(peer -> {
                peer.readMessage();
                told.set(((ExtendedSSLSession) ((SSLSocket) peer.socket()).getSession())
                        .getRequestedServerNames()
                        .toString());
                peer.send(OK);
            });

            assertThat(answer(call(at("localhost", worker), "POST", ""))).isEqualTo("ok");
            assertThat(told.get()).contains("localhost");
            assertThat(failure(post(worker).response())).isEqualTo(UpstreamFailure.CONNECT_FAILED);
        }
    }

    @Test
    void sendsNothingToOneOfAnotherAuthority() throws Exception {
        var other = new TestAuthority();
        try (MockWorker worker = worker(other.context(other.issue("127.0.0.1")))) {
            assertThat(failure(post(worker).response())).isEqualTo(UpstreamFailure.CONNECT_FAILED);
        }
    }

    @Test
    void sendsNothingToOneWhoseCertificateHasExpired() throws Exception {
        try (MockWorker worker = worker(AUTHORITY.expired("127.0.0.1"))) {
            assertThat(failure(post(worker).response())).isEqualTo(UpstreamFailure.CONNECT_FAILED);
        }
    }

    @Test
    void showsItsCertificateWhereItIsAskedFor() throws Exception {
        try (MockWorker worker = worker(AUTHORITY.issue("127.0.0.1")).demandCertificates();
                Plane without = new Plane("", AUTHORITY.context())) {
            assertThat(answer(post(worker))).isEqualTo("ok");

            var refused = without.upstream().call(request(worker.url(), "POST", "hello"));
            assertThat(failure(refused.response()).toString()).isIn("CONNECT_FAILED", "RESET_BEFORE_HEAD");
        }
    }

    @Test
    void saysThatAPlainWorkerSpeaksNoTls() throws Exception {
        try (MockWorker worker = MockWorker.answering(OK)) {
            assertThat(failure(call(at("127.0.0.1", worker), "GET", "").response()))
                    .isEqualTo(UpstreamFailure.CONNECT_FAILED);
        }
    }
}
