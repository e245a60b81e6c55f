import { type RJSFSchema, toErrorSchema, type ValidatorType } from "@rjsf/utils";
import { fits, problemsOf } from "./schemaErrors";

/** rjsf's usual validator writes code at run time, which a strict CSP forbids. */
const validator: ValidatorType = {
  validateFormData(value, schema) {
    const errors = problemsOf(schema, value ?? {}).map(({ path, message }) => ({
      property: path ? `.${path}` : ".",
      message,
      stack: `${path} ${message}`,
    }));
    return { errors, errorSchema: toErrorSchema(errors) };
  },
  isValid(schema, value, root) {
    const { $defs, definitions } = root as RJSFSchema;
    return fits({ $defs, definitions, ...schema }, value);
  },
  rawValidation<Result>(schema: RJSFSchema, value: unknown) {
    return { errors: problemsOf(schema, value) as Result[] };
  },
};

export default validator;
