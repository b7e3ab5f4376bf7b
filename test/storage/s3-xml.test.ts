import { expect, test } from 'vitest'
import { OddXml, parseXml, requireText } from '../../src/storage/files/s3-xml.ts'

test('a list of S3 is read, with or without its declaration, spaces and entities', () => {
  const list = parseXml(`<?xml version="1.0" encoding='UTF-8'?>
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
      <Name>b</Name><Prefix/><Contents><Key>a &amp;&#x26;&#38;&lt;&gt;&quot;&apos; > b</Key></Contents>
      <Contents ><Key > c </Key></Contents>
    </ListBucketResult>\n`)
  expect(list.name).toBe('ListBucketResult')
  expect(requireText(list, 'Prefix')).toBe('')
  const keys = list.children.filter(({ name }) => name === 'Contents').map((contents) => requireText(contents, 'Key'))
  expect(keys).toEqual([`a &&&<>"' > b`, ' c '])
  expect(() => requireText(list, 'Contents')).toThrow(OddXml)
  expect(() => requireText(list, 'Missing')).toThrow(OddXml)
})

test.for([
  '',
  'text',
  '<html><p>Bad gateway',
  '<a></b>',
  '<a></a',
  '<a></a><b></b>',
  '<a></a>text',
  'text<a></a>',
  '<a>text<b></b></a>',
  '<a><b></b>text</a>',
  '<a b></a>',
  '</a>',
  '<a></a></a>',
  '<a><!-- b --></a>',
  '<a><![CDATA[b]]></a>',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  '<a>&b;</a>',
  '<a>&amp</a>',
  '<a>&#x110000;</a>',
  '<a>&#;</a>',
  '<a>'.repeat(1000),
])('%s is no document of S3', (text) => {
  expect(() => parseXml(text)).toThrow(OddXml)
})

test('a long text without an end is rejected in linear time', () => {
  const spaces = ' '.repeat(1_000_000)
  for (const text of [
    `<a${spaces}`,
    `<a b="${spaces}`,
    `<a ${`b="c" `.repeat(200_000)}`,
    `<a>${'&'.repeat(1_000_000)}</a>`,
  ]) {
    expect(() => parseXml(text)).toThrow(OddXml)
  }
})
