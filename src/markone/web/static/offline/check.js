// The limits of a state, which the laboratory checks on the server, from the same JSON schema.

function isValid(value, field, definitions) {
  if (field.$ref) return isValid(value, definitions[field.$ref.split("/").at(-1)], definitions);
  if (field.anyOf) return field.anyOf.some((one) => isValid(value, one, definitions));
  if ("const" in field) return value === field.const;
  if (field.enum) return field.enum.includes(value);
  if (field.type === "null") return value === null;
  if (field.type === "boolean") return typeof value === "boolean";
  if (field.type === "string") return typeof value === "string" && value.length <= (field.maxLength ?? Infinity) && value.length >= (field.minLength ?? 0);
  if (field.type === "array") {
    if (!Array.isArray(value) || value.length > (field.maxItems ?? Infinity) || value.length < (field.minItems ?? 0)) return false;
    return value.every((one, k) => isValid(one, field.prefixItems?.[k] ?? field.items ?? {}, definitions));
  }
  if (field.type !== "number" && field.type !== "integer") return true;
  return Number.isFinite(value) && (field.type === "number" || Number.isInteger(value)) && value >= (field.minimum ?? -Infinity) && value <= (field.maximum ?? Infinity);
}

/** The first field of a state that its schema does not allow. */
export function findProblem(schema, state) {
  for (const [name, field] of Object.entries(schema.properties)) {
    if (isValid(state[name], field, schema.$defs ?? {})) continue;
    const words = (value) => field.choices?.[value] ?? String(value);
    const shown = [state[name]].flat().map(words).join(", ") || "nothing";
    const allowed = field.enum ? `one of ${field.enum.map(words).join(", ")}` : field.items?.enum ? `from ${field.items.enum.map(words).join(", ")}` : `between ${field.minimum} and ${field.maximum}`;
    return { name, sentence: `${field.title ?? name} = ${shown.slice(0, 60)} is not possible in this page, which has ${allowed}. Other values need \`markone lab\`.` };
  }
  return null;
}
