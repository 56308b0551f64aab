package io.kvrouter.bench.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * HTTP/2 by prior knowledge. Its values, its compressed head, its frames and the order of them are mutated one by one, for
 * what is mutated only as a whole seldom comes further than the first frame.
 */
final class Http2 implements Dialect {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int STREAM = 1;
    private static final int HEAD_OF_FRAME = 9;
    private static final int END_STREAM = 0x1;
    private static final int END_HEADERS = 0x4;
    private static final int KINDS_OF_FRAME = 12; // of which there are ten
    private static final int MOST_ODD = 3;

    @Override
    public byte[] mutated(RightRequest request, RandomGenerator random) {
        List<byte[]> frames = frames(request, random);
        for (int i = random.nextInt(MOST_ODD); i > 0; i--) {
            frames.add(random.nextInt(frames.size() + 1), odd(random));
        }
        if (random.nextInt(8) == 0) {
            Collections.swap(frames, random.nextInt(frames.size()), random.nextInt(frames.size()));
        }
        if (random.nextInt(8) == 0) {
            frames.add(frames.get(random.nextInt(frames.size())));
        }
        var all = new ByteArrayOutputStream();
        frames.forEach(all::writeBytes);
        byte[] sent = random.nextInt(3) == 0 ? Mutations.of(all.toByteArray(), random) : all.toByteArray();
        return ByteBuffer.allocate(PREFACE.length + sent.length)
                .put(PREFACE)
                .put(sent)
                .array();
    }

    /** Settings, the head, and what there is of a body, in up to two frames each. */
    private static List<byte[]> frames(RightRequest request, RandomGenerator random) {
        List<byte[]> frames = new ArrayList<>();
        frames.add(frame(Http2FrameTypes.SETTINGS, 0, 0, new byte[0]));
        byte[] head = maybe(compressed(head(request, random)), random);
        byte[] body = maybe(request.bytes(), random);
        int last = body.length == 0 ? END_STREAM : 0;
        int cut = random.nextInt(4) == 0 ? random.nextInt(head.length + 1) : head.length;
        if (cut == head.length) {
            frames.add(frame(Http2FrameTypes.HEADERS, last | END_HEADERS, STREAM, head));
        } else {
            frames.add(frame(Http2FrameTypes.HEADERS, last, STREAM, part(head, 0, cut)));
            frames.add(frame(Http2FrameTypes.CONTINUATION, END_HEADERS, STREAM, part(head, cut, head.length)));
        }
        if (body.length > 0) {
            int half = random.nextInt(body.length);
            frames.add(frame(Http2FrameTypes.DATA, 0, STREAM, part(body, 0, half)));
            frames.add(frame(Http2FrameTypes.DATA, END_STREAM, STREAM, part(body, half, body.length)));
        }
        return frames;
    }

    private static Http2Headers head(RightRequest request, RandomGenerator random) {
        Http2Headers head = new DefaultHttp2Headers(false)
                .method(request.method())
                .scheme("http")
                .authority("r")
                .path(value(request.path(), random));
        for (RightRequest.Field field : request.fields()) {
            head.add(field.name(), value(field.value(), random));
        }
        if (random.nextBoolean()) {
            head.add("content-length", value(Integer.toString(request.bytes().length), random));
        }
        return head;
    }

    private static AsciiString value(String right, RandomGenerator random) {
        return new AsciiString(maybe(right.getBytes(StandardCharsets.UTF_8), random));
    }

    /** Mutated now and then. */
    private static byte[] maybe(byte[] right, RandomGenerator random) {
        return random.nextInt(6) == 0 ? Mutations.of(right, random) : right;
    }

    private static byte[] compressed(Http2Headers head) {
        ByteBuf block = Unpooled.buffer();
        try {
            new DefaultHttp2HeadersEncoder().encodeHeaders(STREAM, head, block);
        } catch (Http2Exception e) {
            throw new IllegalStateException("a head that can't be compressed", e);
        }
        return ByteBufUtil.getBytes(block);
    }

    /** Of any kind, stream, flags and content. */
    private static byte[] odd(RandomGenerator random) {
        byte[] payload = new byte[random.nextBoolean() ? random.nextInt(64) : 4 << random.nextInt(3)];
        if (random.nextBoolean()) {
            random.nextBytes(payload);
        }
        int flags = random.nextBoolean() ? 0 : random.nextInt(256);
        return frame(random.nextInt(KINDS_OF_FRAME), flags, random.nextInt(5), payload);
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(HEAD_OF_FRAME + payload.length)
                .putShort((short) (payload.length >> 8))
                .put((byte) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    private static byte[] part(byte[] bytes, int from, int until) {
        return Arrays.copyOfRange(bytes, from, until);
    }

    @Override
    public boolean whole(byte[] read) {
        return Seen.of(read).whole;
    }

    /** Only all of it: the server's settings come to everybody. */
    @Override
    public boolean answered(byte[] read) {
        return whole(read);
    }

    @Override
    public boolean failed(byte[] read) {
        return Seen.of(read).failed;
    }

    /** What the frames say that have come whole. */
    private static final class Seen {
        private final DefaultHttp2HeadersDecoder heads = new DefaultHttp2HeadersDecoder(false);
        private boolean whole;
        private boolean failed;

        static Seen of(byte[] read) {
            var seen = new Seen();
            ByteBuf left = Unpooled.wrappedBuffer(read);
            while (left.readableBytes() >= HEAD_OF_FRAME) {
                int length = left.readUnsignedMedium();
                byte type = left.readByte();
                int flags = left.readByte();
                left.skipBytes(Integer.BYTES);
                if (left.readableBytes() < length) {
                    break;
                }
                seen.frame(type, flags, left.readSlice(length));
            }
            return seen;
        }

        private void frame(byte type, int flags, ByteBuf payload) {
            boolean last = (flags & END_STREAM) != 0;
            switch (type) {
                case Http2FrameTypes.HEADERS -> {
                    whole |= last;
                    head(payload);
                }
                case Http2FrameTypes.DATA -> {
                    whole |= last;
                    failed |= payload.toString(StandardCharsets.ISO_8859_1).contains("internal_error");
                }
                case Http2FrameTypes.RST_STREAM -> whole = true;
                case Http2FrameTypes.GO_AWAY -> {
                    whole = true;
                    failed |= payload.getUnsignedInt(Integer.BYTES) == Http2Error.INTERNAL_ERROR.code();
                }
                default -> {}
            }
        }

        private void head(ByteBuf block) {
            try {
                Http2Headers head = heads.decodeHeaders(STREAM, block);
                failed |= "500".contentEquals(head.status()) && !head.contains("x-router-worker");
            } catch (Http2Exception e) {
                throw new IllegalStateException("the router's head can't be read", e);
            }
        }
    }
}
