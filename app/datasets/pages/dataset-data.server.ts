import type { BreadcrumbList, DataCatalog, Dataset, WithContext } from 'schema-dts'
import { dataFormats, mediaTypes } from '#app/datasets/catalog/format.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { CATALOG } from '#app/datasets/catalog/public-catalog.ts'
import type { ListedDataset } from '#app/datasets/catalog/public-catalog.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type MachineText, machineTexts } from '#app/platform/text/machine-text.server.ts'
import { identity } from '#app/content/identity.ts'
import { heads } from '#app/content/seo.ts'
import { hasTaxAdded, writtenForm } from '#app/platform/text/written-form.ts'

const site = env.SITE_URL

/** The structured data (JSON-LD) of a dataset. */
export function datasetData(detail: ProductDetail, picture: string, firstPublication: Date | undefined): MachineText[] {
  const { slug, name, description, about, category, isFree, price, source, updatedAt, versions, columns, downloadUrl } = detail
  const url = `${site}${MARKETPLACE}/${slug}`
  const publisher = { '@type': 'Organization' as const, '@id': `${site}/#organization`, name: identity.name, url: `${site}/` }
  const dataset: WithContext<Dataset> = {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': url,
    name,
    description: [description, about].filter(Boolean).join('\n\n'),
    url,
    keywords: category,
    image: picture,
    inLanguage: 'en',
    isAccessibleForFree: isFree,
    creator: publisher,
    publisher,
    offers: offerOf(price, url),
    ...licenceOf(detail),
    ...(source && { isBasedOn: { '@type': 'CreativeWork', name: source } }),
    ...(updatedAt && { dateModified: updatedAt }),
    ...(firstPublication && { datePublished: firstPublication.toISOString() }),
    ...versionOf(versions),
    ...(columns.length > 0 && { variableMeasured: columns.map(variable) }),
    ...(downloadUrl && {
      distribution: dataFormats.map((format) => ({
        '@type': 'DataDownload' as const,
        encodingFormat: mediaTypes[format].split(';', 1)[0] ?? mediaTypes[format],
        // Signed-in users get the file's own URL there.
        contentUrl: url,
      })),
    }),
  }
  return machineTexts([dataset, breadcrumbs(name, url)])
}

/** The structured data of a page of the public catalog. */
export function catalogData(entries: readonly ListedDataset[]): MachineText[] {
  const publisher = { '@type': 'Organization' as const, '@id': `${site}/#organization`, name: identity.name, url: `${site}/` }
  const catalog: WithContext<DataCatalog> = {
    '@context': 'https://schema.org',
    '@type': 'DataCatalog',
    '@id': `${site}${CATALOG}`,
    name: `${identity.name}: ${heads[CATALOG].title}`,
    description: heads[CATALOG].description,
    url: `${site}${CATALOG}`,
    inLanguage: 'en',
    publisher,
    dataset: entries.map(({ slug, name, description, price, updatedAt }) => {
      const url = `${site}${MARKETPLACE}/${slug}`
      return {
        '@type': 'Dataset' as const,
        '@id': url,
        name,
        description,
        url,
        isAccessibleForFree: price === 0,
        creator: { '@id': publisher['@id'] },
        ...(updatedAt && { dateModified: updatedAt }),
      }
    }),
  }
  return machineTexts(entries.length > 0 ? [catalog] : [])
}

/** A URL or a named work: structured data allows no plain text here. */
function licenceOf({ licence, licenceUrl }: ProductDetail) {
  if (licenceUrl) return { license: licenceUrl }
  return licence ? { license: { '@type': 'CreativeWork' as const, name: licence } } : {}
}

function versionOf(versions: ProductDetail['versions']) {
  const current = versions.find(({ isCurrent }) => isCurrent)
  return current && { version: String(current.number) }
}

function variable({ name, description }: ProductDetail['columns'][number]) {
  return { '@type': 'PropertyValue' as const, name, ...(description && { description }) }
}

function breadcrumbs(name: string, url: string): WithContext<BreadcrumbList> {
  const steps = [
    { name: identity.name, item: `${site}/` },
    { name: heads[CATALOG].title, item: `${site}${CATALOG}` },
    { name, item: url },
  ]
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
  }
}

function offerOf(cents: number, url: string) {
  const price = { price: (cents / 100).toFixed(2), priceCurrency: writtenForm().currency }
  const untaxed = { '@type': 'UnitPriceSpecification' as const, ...price, valueAddedTaxIncluded: false }
  return { '@type': 'Offer' as const, url, ...price, ...(cents > 0 && hasTaxAdded() && { priceSpecification: untaxed }) }
}
