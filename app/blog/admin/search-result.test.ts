import { describe, expect, test } from 'vitest'
import { editPost, changePostField } from './post-fields.ts'
import { cut, lengthOf, searchResultOf } from './search-result.ts'

describe('a search result', () => {
  test('takes what was written for it, else the title and the excerpt', () => {
    const { fields } = changePostField(editPost(), { title: 'The title', excerpt: 'The excerpt' })
    expect(searchResultOf(fields)).toEqual({ title: 'The title', description: 'The excerpt' })
    expect(searchResultOf({ ...fields, metaTitle: 'Meta', metaDescription: 'Described' })).toEqual({
      title: 'Meta',
      description: 'Described',
    })
  })

  test('is cut after the last word that fits, a smiley being one character', () => {
    expect(cut('one two three', 7)).toBe('one two …')
    expect(cut('one two three', 9)).toBe('one two …')
    expect(cut('😀'.repeat(8), 5)).toBe(`${'😀'.repeat(5)} …`)
    expect(cut('one two', 7)).toBe('one two')
  })

  test('says of each length whether it is good', () => {
    const verdicts = (name: 'metaTitle' | 'metaDescription', lengths: number[]) => lengths.map((n) => lengthOf(name, 'x'.repeat(n)).verdict)
    expect(verdicts('metaTitle', [0, 29, 30, 60, 61])).toEqual(['empty', 'short', 'good', 'good', 'long'])
    expect(verdicts('metaDescription', [0, 69, 70, 160, 161])).toEqual(['empty', 'short', 'good', 'good', 'long'])
  })
})
