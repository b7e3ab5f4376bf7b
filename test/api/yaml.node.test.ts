import { expect, test } from 'vitest'
import { yamlOf } from '../../src/api/yaml.ts'

test('a value is written in blocks that all YAML readers parse alike', () => {
  const value = {
    plain: 1,
    on: true,
    'x-a/b': 'no: "text"\n# é',
    list: [{ a: [], b: {} }, [1, null], 'yes'],
    none: null,
  }
  expect(yamlOf(value).split('\n')).toEqual([
    'plain: 1',
    '"on": true',
    '"x-a/b": "no: \\"text\\"\\n# é"',
    'list:',
    '  - a: []',
    '    b: {}',
    '  - - 1',
    '    - null',
    '  - "yes"',
    'none: null',
    '',
  ])
})
