import type { Handle } from '#app/access.server.ts'
import { env } from '#app/platform/env.server.ts'
import { fileResponse } from '#app/platform/http/file-response.server.ts'
import { homeQuestions } from '#app/content/faq.ts'
import { hero } from '#app/content/home.ts'
import { identity } from '#app/content/identity.ts'
import { offerings } from '#app/content/offerings.ts'
import { priceText } from '#app/content/price.ts'
import { services } from '#app/content/services.ts'
import { terms } from '#app/content/terms.ts'
import { listPublicPages, type Listed } from './listed.server.ts'
import { currencies, writtenForm } from '#app/platform/text/written-form.ts'

export const handle = { access: 'public', cache: { tags: ['posts', 'datasets', 'free-times'] } } satisfies Handle

/** The offer in Markdown, for language models that answer questions about it. */
export async function loader() {
  return fileResponse('text/plain; charset=utf-8', offerText(env.SITE_URL, await listPublicPages()))
}

/** The business's offer with prices, deadlines and links, in the format of llms.txt. */
function offerText(site: string, pages: readonly Listed[]): string {
  return [
    `# ${identity.name}`,
    `> ${identity.tagline} ${hero.text}`,
    `All prices are in ${currencies[writtenForm().currency]}. A fixed price is agreed in writing before work starts; the proposal is free.`,
    section('Services and prices', Object.values(offerings).map(offeringLine(site))),
    section(
      'Complete solutions',
      services.map(({ title, description, price, covers }) => `- ${title}: ${priceText(price)} (${covers}). ${description}`),
    ),
    section('Terms', [
      `- Within ${terms.response} of a message: ${terms.answer}`,
      `- Delivery: urgent requests ${terms.delivery.urgent}, standard projects ${terms.delivery.standard}, enterprise ${terms.delivery.enterprise}`,
      `- Enterprise work: ${terms.enterprise}`,
      `- Deposit: ${terms.deposit} before a project starts, the rest on completion`,
      `- Data accuracy agreed: ${terms.accuracy}; corrections free of charge for ${terms.correction}`,
      `- Free strategy call: ${terms.call}`,
    ]),
    ...homeQuestions.map(({ question, answer }) => `## ${question}\n\n${answer.join('\n\n')}`),
    section(
      'Pages',
      pages.map(({ path, title, description }) => `- [${title}](${site}${path}): ${description}`),
    ),
    section('Contact', [`- Email: ${identity.email}`, `- Form: ${site}/contact`]),
  ].join('\n\n')
}

function offeringLine(site: string) {
  return ({ id, title, promise, price, covers, time }: (typeof offerings)[keyof typeof offerings]) =>
    `- [${title}](${site}/services#${id}): ${priceText(price)} (${covers}), ${time}. ${promise}`
}

function section(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.join('\n')}`
}
