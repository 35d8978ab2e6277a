import { describe, expect, test } from 'vitest'
import { showDashboard, wordsOf } from '#test/dashboard.tsx'
import { FIRST_STEPS, type FirstSteps, type StepName, stepName, stepTexts } from './first-steps.ts'
import { FirstStepsPanel, ShowFirstSteps } from './first-steps-panel.tsx'

const stepsWith = (done: readonly StepName[], isHidden = false): FirstSteps => ({
  steps: stepName.options.map((name) => ({ name, isDone: done.includes(name) })),
  isHidden,
})
const show = (answer: FirstSteps | undefined, element = <FirstStepsPanel />) =>
  showDashboard(element, { answers: answer ? { [FIRST_STEPS]: answer } : {} })

describe('the list of first steps', () => {
  test('says how many are done, marks those, and links each to its place', () => {
    const html = show(stepsWith(['address', 'post', 'colleague']))
    expect(wordsOf(html)).toMatch(/^First steps 3 of 10 Hide Done: Confirm your email address Turn on two-factor authentication /)
    expect(html).toMatch(/<progress [^>]*max="10" value="3" aria-label="First steps done"/)
    expect(html.match(/Done: /g)).toHaveLength(3)
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url?.replaceAll('&amp;', '&'))).toEqual(
      stepName.options.map((name) => stepTexts[name].to),
    )
  })

  test('is in the document that has been sent with it', () => {
    expect(wordsOf(show(undefined, <FirstStepsPanel known={stepsWith(['address'])} />))).toMatch(/^First steps 1 of 10 Hide Done: Confirm/)
  })

  test('says that it is loading', () => expect(wordsOf(show(undefined))).toContain('Loading your first steps...'))

  test('is gone when it is hidden, and when all is done', () => {
    expect(show(stepsWith([], true))).toBe('')
    expect(show(stepsWith(stepName.options))).toBe('')
  })
})

describe('the way back in the settings', () => {
  const back = (answer: FirstSteps | undefined) => wordsOf(show(answer, <ShowFirstSteps />))
  test('is there for a hidden list with open steps, and only for it', () => {
    expect(back(stepsWith(['post'], true))).toBe('Show first steps')
    expect([back(stepsWith(['post'])), back(stepsWith(stepName.options, true)), back(undefined)]).toEqual(['', '', ''])
  })
})
