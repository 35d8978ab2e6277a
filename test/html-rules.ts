import { HtmlValidate, type RuleConfig, StaticConfigLoader } from 'html-validate'

/** Rules of taste are off, each with its reason. */
const rules: RuleConfig = {
  // Tailwind names many classes; React writes attributes in its own order and every void element with a slash.
  'long-title': 'off',
  'void-style': 'off',
  'no-trailing-whitespace': 'off',
  // The pages are written for browsers, which close these elements themselves.
  'doctype-style': 'off',
  // Inline styles and scripts are deliberate, each with its hash in the policy.
  'no-inline-style': 'off',
  // A list without markers has `role="list"`, because Safari otherwise does not announce it as a list.
  'no-redundant-role': 'off',
  // A button's default type in HTML is submit, and `Button` follows that.
  'no-implicit-button-type': 'off',
  // A phone number must not break inside.
  'tel-non-breaking': 'off',
}
const validator = new HtmlValidate(new StaticConfigLoader({ extends: ['html-validate:standard', 'html-validate:a11y'], rules }))

/** Each fault of a document, with the rule that it breaks and its place. */
export async function htmlFaults(document: string): Promise<string[]> {
  const { results } = await validator.validateString(document)
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`))
}
