import type { Active, Announcements, Over, ScreenReaderInstructions } from '@dnd-kit/core'

/** Belongs to each handle. */
export const dragInstructions: ScreenReaderInstructions = {
  draggable: 'Press Space to lift it, move it with the arrow keys, and press Space to drop it. Escape cancels.',
}

/** The announcements of a screen reader during a move. They name the moved item and the item at its new place. */
export function dragWords(nameOf: (active: Active) => string, placeOf: (over: Over) => string): Announcements {
  const place = (active: Active, over: Over) => (active.id === over.id ? 'its own place' : placeOf(over))
  const unmoved = (active: Active) => `${nameOf(active)} has not moved.`
  return {
    onDragStart: ({ active }) => `${nameOf(active)} is lifted.`,
    onDragOver: ({ active, over }) => `${nameOf(active)} ${over ? `is at ${place(active, over)}` : 'has nowhere to drop'}.`,
    onDragEnd: ({ active, over }) => (over ? `${nameOf(active)} is dropped at ${place(active, over)}.` : unmoved(active)),
    onDragCancel: ({ active }) => unmoved(active),
  }
}

/** Said after a move by a button or an arrow key. */
export const movedWords = (name: string, place: number, count: number) => `${name} is now number ${place} of ${count}.`
