import { expect, test } from 'vitest'
import { dollarsAndCentsText, dollarsText, percentText } from './english-number.ts'

test('an amount of whole dollars has no cents', () => {
  expect([0, 250_000, 250_005, 250_050, -150].map(dollarsText)).toEqual(['$0', '$2,500', '$2,500.05', '$2,500.50', '-$1.50'])
})

test('a price has its cents', () => {
  expect([0, 250_000, 1999].map(dollarsAndCentsText)).toEqual(['$0.00', '$2,500.00', '$19.99'])
})

test('a share has no space before its sign', () => {
  expect([1900, 810, 1250, 5000, 10_000, 5].map(percentText)).toEqual(['19%', '8.1%', '12.5%', '50%', '100%', '0.05%'])
})
