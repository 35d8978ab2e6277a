import { expect, test } from 'vitest'
import { asSent, composeHireMessage, parseHireMessage } from './hire-message.ts'

test('the choices are written below the message', () => {
  expect(composeHireMessage({ text: 'Please help us.', budget: '1k-5k', timeframe: 'asap' })).toBe(
    'Please help us.\n\nBudget Range: 1k-5k\nTimeframe: asap',
  )
})

test('a choice that was not made is not specified', () => {
  expect(composeHireMessage({ text: 'Please help us.' })).toBe('Please help us.\n\nBudget Range: Not specified\nTimeframe: Not specified')
})

test('a composed message is parsed back', () => {
  const said = { text: 'First line\n\nsecond line', budget: 'discuss', timeframe: '1-2weeks' } as const
  expect(parseHireMessage(composeHireMessage(said))).toEqual(said)
  expect(parseHireMessage(composeHireMessage({ text: 'Nothing chosen' }))).toEqual({
    text: 'Nothing chosen',
    budget: undefined,
    timeframe: undefined,
  })
})

test('labels are understood as well as values', () => {
  expect(parseHireMessage('Hello\nBudget Range: $1,000 to $5,000\nTimeframe: as soon as possible ')).toMatchObject({
    text: 'Hello',
    budget: '1k-5k',
    timeframe: 'asap',
  })
})

test('a message that only speaks of budgets is all text', () => {
  for (const message of ['Budget Range: 1k-5k', 'Timeframe: asap\nBudget Range: 1k-5k', 'The Budget Range: 1k\nTimeframe: asap', '']) {
    expect(parseHireMessage(message)).toEqual({ text: message })
  }
})

test('the hire form sends its choices inside of the message, the others send theirs beside it', () => {
  const values = { name: 'Ada', message: 'Please help us.', budget: '5k-10k', timeframe: '' }
  expect(asSent('hire', values)).toEqual({ name: 'Ada', message: 'Please help us.\n\nBudget Range: 5k-10k\nTimeframe: Not specified' })
  expect(asSent('home', values)).toEqual(values)
})
