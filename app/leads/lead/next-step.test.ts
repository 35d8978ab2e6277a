import { expect, test } from 'vitest'
import { nextStepsOf } from './next-step.ts'

const promisedFrom = '2026-10-05T09:00:00.000Z'
const nextDay = '2026-10-06T09:00:00.000Z'
const deadlines = { acknowledgement: '2026-10-05T11:00:00.000Z', response: nextDay, proposal: nextDay }
const enquiry = { id: '1', reference: 'W-7K3M9Q', serviceType: null, problem: 'Prices', message: 'Please' }
const sent = { ...enquiry, createdAt: '2026-10-04T18:00:00.000Z', promisedFrom, deadlines, owesProposal: true }
const at = (time: string) => new Date(`2026-10-${time}Z`)

test('a new enquiry shows the deadlines of the acknowledgement and the reply', () => {
  expect(nextStepsOf({ ...sent, stage: 'received' }, at('05T10:00'))).toMatchObject([
    { by: '2026-10-05T11:00:00.000Z', isLate: false },
    { by: '2026-10-06T09:00:00.000Z', isLate: false },
  ])
})

test('a step is late from its deadline on', () => {
  const late = (time: string) => nextStepsOf({ ...sent, stage: 'received' }, at(time)).map(({ isLate }) => isLate)
  expect(late('05T10:59')).toEqual([false, false])
  expect(late('05T11:00')).toEqual([true, false])
  expect(late('06T09:00')).toEqual([true, true])
})

test('an answer leaves the proposal to come, unless none is owed or its time is up', () => {
  const steps = (owesProposal: boolean, time: string) => nextStepsOf({ ...sent, stage: 'answered', owesProposal }, at(time))
  expect(steps(true, '05T12:00')).toMatchObject([{ text: expect.stringContaining('Check your email') }, { by: '2026-10-06T09:00:00.000Z' }])
  expect(steps(false, '05T12:00')).toHaveLength(1)
  expect(steps(true, '07T12:00')).toHaveLength(1)
})

test('a withdrawn enquiry, a call and a proposal are named, and have no hour', () => {
  expect(nextStepsOf({ ...sent, stage: 'withdrawn' })).toEqual([{ text: expect.stringContaining('You withdrew') }])
  expect(nextStepsOf({ ...sent, stage: 'consultation' })).toEqual([{ text: 'We discuss it in a 30-minute call.' }])
  expect(nextStepsOf({ ...sent, stage: 'proposal' })[0]?.text).toMatch(/^Check your email for our proposal/)
})
