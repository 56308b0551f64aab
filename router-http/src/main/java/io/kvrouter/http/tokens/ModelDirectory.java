package io.kvrouter.http.tokens;

import io.kvrouter.http.template.ChatTemplate;
import io.kvrouter.http.template.ChatTemplateFiles;
import io.kvrouter.http.template.TemplateException;
import io.kvrouter.http.tokenizer.ModelTokenizer;
import io.kvrouter.http.tokenizer.SegmentCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Optional;

/** Reads a model's directory: its tokenizer and its chat template. */
public final class ModelDirectory {
    private ModelDirectory() {}

    /**
     * Loads both, and tests the tokenizer against the reference implementation: takes a second or so.
     *
     * @throws IOException that names the file that is missing or can't be used
     */
    public static ModelTokens load(Path directory, SegmentCache cache) throws IOException {
        PromptTemplate template = template(directory);
        return new ModelTokens(ModelTokenizer.load(directory, cache), template);
    }

    private static PromptTemplate template(Path directory) throws IOException {
        try {
            Optional<ChatTemplate> template = ChatTemplateFiles.read(directory);
            return template.isPresent()
                    ? rendering(template.get())
                    : request -> {
                        throw new UntokenizableException("the model's directory has no chat template");
                    };
        } catch (TemplateException e) {
            throw new IOException("the chat template in " + directory + ": " + e.getMessage(), e);
        }
    }

    private static PromptTemplate rendering(ChatTemplate template) {
        return request -> {
            try {
                var rendered = template.render(request, Clock.system(ZoneId.systemDefault()));
                return new PromptTemplate.Rendered(rendered.text(), rendered.keyed());
            } catch (TemplateException e) { // its message may quote the prompt
                throw new UntokenizableException("the chat template refuses the request");
            }
        };
    }
}
