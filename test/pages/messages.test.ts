import { expect, test } from 'vitest'
import { languages } from '../../src/pages/language.ts'
import { MESSAGES } from '../../src/pages/messages.ts'

const ARGUMENTS = ['FIRST', 'SECOND']

/** Every sentence with its path; those with arguments are given marks to put in. */
function sentences(messages: object, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, message] of Object.entries(messages)) {
    if (key === 'imageCount') continue
    if (typeof message === 'object')
      for (const [inner, text] of sentences(message, `${path}${key}.`)) found.set(inner, text)
    else found.set(path + key, typeof message === 'function' ? message(...ARGUMENTS) : message)
  }
  return found
}

test.each(languages())('%s has every sentence, and none is empty', (language) => {
  const all = sentences(MESSAGES[language])
  expect([...all.keys()].sort()).toEqual([...sentences(MESSAGES.en).keys()].sort())
  for (const [path, text] of all) expect(text.trim(), path).not.toBe('')
})

test.each(languages())('%s puts the same arguments into its sentences as English does', (language) => {
  const english = sentences(MESSAGES.en)
  for (const [path, text] of sentences(MESSAGES[language])) {
    for (const argument of ARGUMENTS) {
      expect(text.includes(argument), `${path} holds ${argument}`).toBe(english.get(path)?.includes(argument))
    }
  }
})

test.each(languages().filter((language) => language !== 'en'))('%s is translated', (language) => {
  const english = sentences(MESSAGES.en)
  // Words that happen to be the same in two languages are short.
  const same = [...sentences(MESSAGES[language])].filter(
    ([path, text]) => text === english.get(path) && text.includes(' '),
  )
  expect(same.map(([path]) => path).filter((path) => path !== 'pixels')).toEqual([])
})
