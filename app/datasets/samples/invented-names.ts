import type { Chance } from './chance.ts'

const beginnings = [
  'Alder',
  'Birch',
  'Cobalt',
  'Delta',
  'Ember',
  'Falcon',
  'Granite',
  'Harbour',
  'Iron',
  'Juniper',
  'Keystone',
  'Lark',
  'Meridian',
  'North',
  'Orchard',
  'Pioneer',
  'Quarry',
  'Ridge',
  'Sable',
  'Timber',
  'Umber',
  'Vantage',
  'Willow',
  'Yarrow',
  'Zephyr',
]
const ends = [
  'brook',
  'field',
  'gate',
  'grove',
  'haven',
  'hill',
  'line',
  'mark',
  'port',
  'stone',
  'vale',
  'ward',
  'water',
  'well',
  'works',
  'yard',
]
const firstNames = [
  'Amara',
  'Bram',
  'Chiara',
  'Dmitri',
  'Elif',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kaya',
  'Leon',
  'Maeve',
  'Nadia',
  'Oscar',
  'Priya',
  'Quentin',
  'Rosa',
  'Samir',
  'Tilda',
  'Umar',
  'Vera',
  'Wim',
  'Yuki',
  'Zora',
]
const lastNames = [
  'Abbott',
  'Bergström',
  'Castro',
  'Dubois',
  'Eriksen',
  'Ferrari',
  'Grant',
  'Hoffmann',
  'Ivanova',
  'Jansen',
  'Kowalski',
  'Lindqvist',
  'Moreau',
  'Novak',
  'Okafor',
  'Petersen',
  'Quinn',
  'Rossi',
  'Schneider',
  'Tanaka',
  'Ueda',
  'Vermeer',
  'Weber',
  'Young',
  'Zhang',
]

/** A fictional company name. The middle word makes it unique. */
export function companyName(chance: Chance, kind: string): string {
  return `${chance.one(beginnings)}${chance.one(ends)} ${kind}`
}

export function personName(chance: Chance): { first: string; last: string } {
  return { first: chance.one(firstNames), last: chance.one(lastNames) }
}

/** As part of a domain: plain letters and hyphens. */
export function asAddress(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
