/** Domains where anyone can get an address: they name no company. */
const freeMail = new Set(
  `gmail googlemail yahoo ymail rocketmail hotmail outlook live msn aol icloud me mac gmx web t-online freenet arcor mail email
  protonmail proton pm tutanota tutamail tuta zoho yandex ya qq 163 126 139 sina naver daum hanmail kakao nate
  orange wanadoo free laposte sfr libero virgilio alice tiscali tin uol bol terra ig seznam centrum wp o2 onet interia
  bluewin hispeed ziggo kpnmail xs4all planet telenet skynet comcast verizon att sbcglobal bellsouth cox charter earthlink
  btinternet btopenworld sky talktalk virginmedia ntlworld blueyonder rediffmail fastmail hey hushmail inbox mailbox posteo
  rambler bk list ukr abv mailinator guerrillamail yopmail sharklasers trashmail`.split(/\s+/),
)

/** Suffixes between a company's name and its country. */
const secondLevel = new Set(['co', 'com', 'net', 'org', 'ac', 'gov', 'edu', 'ne', 'or', 'gob', 'gouv'])

/** The company behind an address: its domain, unless that is a public email provider. */
export function companyOf(email: string): string | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const labels = domain.split('.')
  const beforeEnding = labels.at(-2) ?? ''
  const name = labels.length > 2 && secondLevel.has(beforeEnding) ? labels.at(-3) : beforeEnding
  return !name || freeMail.has(name) ? null : domain
}
