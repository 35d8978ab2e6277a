import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { billing } from '#app/content/billing.server.ts'
import { legalFigures, type LegalName } from '#app/content/legal.ts'
import cookiePolicy from '#app/content/legal/cookie-policy.md?raw'
import privacyPolicy from '#app/content/legal/privacy-policy.md?raw'
import termsOfService from '#app/content/legal/terms-of-service.md?raw'
import { env } from '#app/platform/env.server.ts'

const texts: Record<LegalName, string> = {
  'privacy-policy': privacyPolicy,
  'terms-of-service': termsOfService,
  'cookie-policy': cookiePolicy,
}

/** HTML, and its numbered sections for a table of contents. */
export type LegalText = { html: string; sections: { id: string; title: string }[] }

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSlug).use(rehypeStringify)

export async function legalText(name: LegalName): Promise<LegalText> {
  const html = String(await markdown.process(legalMarkdown(name)))
  const headings = html.matchAll(/<h2 id="([^"]+)">([^<]+)<\/h2>/g)
  return { html, sections: [...headings].map(([, id = '', title = '']) => ({ id, title })) }
}

/** The Markdown of a legal text with its placeholders filled in. */
export function legalMarkdown(name: LegalName): string {
  const figures = { ...legalFigures(), ...billingFigures() }
  return texts[name].replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const figure = figures[key]
    if (figure === undefined) throw new Error(`${name} asks for {{${key}}}, which has no value`)
    return figure
  })
}

/** What only the server knows of payments and invoices. */
function billingFigures(): Readonly<Record<string, string>> {
  return {
    paymentProvider: env.PAYMENTS.includes('stripe') ? 'Stripe' : 'its page says which',
    paymentDays: `${billing.paymentDays} days`,
    invoicesKept: `${billing.keepYears} years`,
  }
}
