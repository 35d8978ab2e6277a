import { HtmlValidate, type RuleConfig, StaticConfigLoader } from 'html-validate'

/** Rules of taste are off; each one that is off says why. */
const rules: RuleConfig = {
  // Tailwind names many classes; React writes attributes in its own order and every void element with a slash.
  'long-title': 'off',
  'void-style': 'off',
  'no-trailing-whitespace': 'off',
  // The pages are written for browsers, which close these elements themselves.
  'doctype-style': 'off',
  // Styles and scripts that stand in a page are there on purpose, each with its hash in the policy.
  'no-inline-style': 'off',
  // A list without markers says `role="list"`, because Safari reads it as no list otherwise.
  'no-redundant-role': 'off',
  // HTML says that a button is of the type submit unless it says otherwise, and so does `Button`.
  'no-implicit-button-type': 'off',
  // A phone number breaks where the line ends, and not within.
  'tel-non-breaking': 'off',
}
const validator = new HtmlValidate(new StaticConfigLoader({ extends: ['html-validate:standard', 'html-validate:a11y'], rules }))

/** Each fault of a document, with the rule that it breaks and its place. */
export async function htmlFaults(document: string): Promise<string[]> {
  const { results } = await validator.validateString(document)
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`))
}
