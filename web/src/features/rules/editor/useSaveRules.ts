import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { isProblem } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import { failed, said, showNotice } from "@/ui/overlay/toast";
import { suggestionsKey } from "./ruleSuggestions";
import { rulesKey } from "./rulesDraft";

/** Put a text in force, and say so. */
export function useSaveRules(onSaved?: () => void) {
  const queries = useQueryClient();
  return api.useMutation("put", "/api/rules", {
    onSuccess: (saved) => {
      queries.setQueryData(rulesKey, saved);
      queries.invalidateQueries({ queryKey: keyOf("/api/rules/versions") });
      queries.invalidateQueries({ queryKey: suggestionsKey });
      onSaved?.();
      const [warning, ...more] = saved.warnings;
      if (!warning) return said(`Version ${saved.version} is in use.`);
      const others = more.length > 0 ? ` (and ${more.length} more)` : "";
      showNotice({
        tone: "warn",
        title: `Version ${saved.version} is in use.`,
        message: `Look at line ${warning.line}: ${warning.message}${others}.`,
      });
    },
    onError: (error) => {
      if (isProblem(error, 409)) queries.invalidateQueries({ queryKey: rulesKey });
      else failed(error);
    },
  });
}
