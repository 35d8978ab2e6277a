import { expect, test } from 'vitest'
import { companyInSignature } from './signature-company.ts'

test.each([
  ['Can you do it?\n\nAda Lovelace\nNordwind Foods GmbH\nTel. 040 123', 'gmail.com', 'Nordwind Foods GmbH'],
  ['Can you do it?\n\nAda Lovelace | Head of Data | Nord-Wind Foods', 'nordwind.example', 'Nord-Wind Foods'],
  ['Can you do it?\n-- \nAda\nAcme, Inc.', null, 'Acme, Inc.'],
])('%j of %s names %s', (text, domain, company) => expect(companyInSignature(text, domain)).toBe(company))

test.each([
  ['We buy from Acme Ltd and want their prices every day, please, in one table', 'shop.example'],
  ['Can you do it?\n\nAda\nada@nordwind.example\nwww.nordwind.example', 'nordwind.example'],
  ['Nordwind GmbH', 'nordwind.example'],
  ['Can you do it?\n\nAda', null],
])('%j of %s names none', (text, domain) => expect(companyInSignature(text, domain)).toBeUndefined())
