import { legalEntity } from './legal.ts'

/** A changed text needs a new version: orders keep the one that was accepted. */
const VERSION = '2026-11-30'

type Licensed = { name: string; licence: string; licenceUrl: string | null }

/** The licence of a dataset that is bought. An example: have a lawyer read yours. */
export function dataLicence({ name, licence, licenceUrl }: Licensed): { version: string; paragraphs: readonly string[] } {
  const own = [licence, licenceUrl].filter(Boolean).join(', ')
  return {
    version: VERSION,
    paragraphs: [
      `${legalEntity.name} grants the buyer, an organization or a private person, a non-exclusive, non-transferable license to use the dataset “${name}”, without an end for the versions that the order includes.`,
      'The buyer, and the people of a buying organization, may store, process, combine and analyze the data, and publish results from which the data cannot be rebuilt.',
      'The data, or a substantial part of it, may not be resold, published or given to third parties, except to processors who work for the buyer under the same terms.',
      'Where the data names people, the buyer is responsible for a lawful basis of their own use, and answers requests of those people about it.',
      'The data is delivered as described on its page. A version that does not match its description is corrected, or its price is refunded.',
      ...(own ? [`The sources add this license: ${own}.`] : []),
    ],
  }
}
