package io.kvrouter.llama;

import de.kherud.llama.InferenceParameters;
import de.kherud.llama.LlamaModel;
import de.kherud.llama.LlamaOutput;
import de.kherud.llama.ModelParameters;
import io.kvrouter.llama.EngineLog.Figures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** One llama.cpp on one thread, with the best token at each step, that keeps the cache of each prompt. */
final class LlamaEngine implements AutoCloseable {
    static final int CONTEXT = 4_096;

    private final LlamaModel model;
    private final EngineLog log;

    /** Loads a model; the log is the file into which this process writes its standard error. */
    LlamaEngine(Path file, Path log) {
        this.log = new EngineLog(log);
        model = new LlamaModel(new ModelParameters()
                .setModel(file.toString())
                .setCtxSize(CONTEXT)
                .setParallel(1)
                .setThreads(1)
                .setThreadsBatch(1)
                .setGpuLayers(0)
                .skipWarmup());
    }

    /** Answers a prompt piece by piece. */
    synchronized Figures answer(String prompt, int tokens, Consumer<String> pieces) throws IOException {
        var order = new InferenceParameters(prompt)
                .setNPredict(tokens)
                .setTemperature(0)
                .setCachePrompt(true);
        for (LlamaOutput piece : model.generate(order)) {
            pieces.accept(piece.text);
        }
        return log.next();
    }

    @Override
    public void close() {
        model.close();
    }
}
