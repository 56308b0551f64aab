package io.kvrouter.http.tokens;

import io.kvrouter.http.template.ChatTemplate;
import io.kvrouter.http.template.ChatTemplateFiles;
import io.kvrouter.http.template.TemplateException;
import io.kvrouter.http.tokenizer.ModelTokenizer;
import io.kvrouter.http.tokenizer.SegmentCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/** A model's files in a local directory, as Hugging Face lays them out. */
final class ModelDirectory {
    private final Path directory;

    ModelDirectory(Path directory) {
        this.directory = directory;
    }

    ModelTokens load(SegmentCache cache, Clock clock) throws IOException {
        ModelTokenizer tokenizer = ModelTokenizer.load(directory, cache);
        try {
            return withTemplate(tokenizer, clock);
        } catch (IOException | RuntimeException e) {
            tokenizer.close();
            throw e;
        }
    }

    /** Without a template that can be read the model's other prompts have tokens all the same. */
    private ModelTokens withTemplate(ModelTokenizer tokenizer, Clock clock) throws IOException {
        try {
            Optional<ChatTemplate> template = ChatTemplateFiles.read(directory);
            return template.map(found -> new ModelTokens(tokenizer, rendering(found, clock), tokenizer.describe()))
                    .orElseGet(() -> withoutTemplate(tokenizer, "no chat template"));
        } catch (TemplateException e) {
            return withoutTemplate(
                    tokenizer, "a chat template that can't be read, line " + e.line() + ": " + e.getMessage());
        }
    }

    private static ModelTokens withoutTemplate(ModelTokenizer tokenizer, String why) {
        PromptTemplate none = request -> {
            throw new UntokenizableException("the model has no chat template that can be read");
        };
        return new ModelTokens(tokenizer, none, tokenizer.describe() + "; " + why);
    }

    private static PromptTemplate rendering(ChatTemplate template, Clock clock) {
        return request -> {
            try {
                ChatTemplate.Rendered rendered = template.render(request, clock);
                return new PromptTemplate.Rendered(rendered.text(), rendered.keyed());
            } catch (TemplateException e) {
                // Not its message, nor itself as the cause: it may quote the request.
                throw new UntokenizableException("the chat template refuses the request");
            }
        };
    }
}
