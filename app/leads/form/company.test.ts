import { expect, test } from 'vitest'
import { companyOf } from './contact.server.ts'

test.each([
  ['ada@analytical.example', 'analytical.example'],
  ['ada@Shop.ACME.co.uk', 'shop.acme.co.uk'],
  ['ada@gmail.com', null],
  ['ada@yahoo.co.uk', null],
  ['ada@hotmail.fr', null],
  ['ada@gmx.de', null],
  ['ada@t-online.de', null],
  ['ada@mailinator.com', null],
])('%s speaks for %s', (email, company) => expect(companyOf(email)).toBe(company))
