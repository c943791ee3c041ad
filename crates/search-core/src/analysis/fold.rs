//! Folding one character: case, accents, width.
//!
//! The tables cover Latin (with Vietnamese), Greek and Cyrillic, the scripts where readers leave accents out. They are
//! strings of base letters indexed by code point, some 600 bytes: full decomposition tables would be most of the module.

/// Base letters of U+00E0 to U+00FF. A dot means: as it is, or handled by [`expansion`].
const LATIN_1: &[u8; 32] = b"aaaaaa.ceeeeiiii.nooooo.ouuuuy.y";
/// Base letters of U+0100 to U+017F, capitals included: not every one has a lower case in the same block.
const LATIN_EXTENDED_A: &[u8; 128] = b"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkkllllllllllnnnnnnn..oooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
/// Base letters of U+1E00 to U+1EFF.
const LATIN_ADDITIONAL: &[u8; 256] = b"aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwyasss..aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy....yy";
/// Other letters with a mark, in lower case, beside their base letters: the rest of Vietnamese, Pinyin and Romanian, Greek,
/// Cyrillic.
const OTHERS: &[(char, char)] = &[
    ('ơ', 'o'),
    ('ư', 'u'),
    ('ǎ', 'a'),
    ('ǐ', 'i'),
    ('ǒ', 'o'),
    ('ǔ', 'u'),
    ('ǧ', 'g'),
    ('ǵ', 'g'),
    ('ș', 's'),
    ('ț', 't'),
    ('ά', 'α'),
    ('έ', 'ε'),
    ('ή', 'η'),
    ('ί', 'ι'),
    ('ό', 'ο'),
    ('ύ', 'υ'),
    ('ώ', 'ω'),
    ('ϊ', 'ι'),
    ('ϋ', 'υ'),
    ('ΐ', 'ι'),
    ('ΰ', 'υ'),
    ('ς', 'σ'),
    ('ё', 'е'),
    ('ѐ', 'е'),
    ('ѝ', 'и'),
    ('ї', 'і'),
];

/// Appends the folded form of a character; nothing for a mark.
pub(super) fn push_folded(character: char, folded: &mut String) {
    if character.is_ascii() {
        folded.push(character.to_ascii_lowercase());
        return;
    }
    for lower in character.to_lowercase() {
        push_without_accent(lower, folded);
    }
}

/// Marks that belong to the letter before them and vanish when it is folded, and characters that nobody sees.
pub(super) fn is_ignorable(character: char) -> bool {
    matches!(character,
        '\u{00AD}' | '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05BD}'
        | '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{20D0}'..='\u{20FF}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FE20}'..='\u{FE2F}' | '\u{FEFF}')
}

fn push_without_accent(character: char, folded: &mut String) {
    if is_ignorable(character) {
        return;
    }
    if let Some(expanded) = expansion(character) {
        folded.push_str(expanded);
        return;
    }
    let code = character as usize;
    let base = match code {
        0x00E0..=0x00FF => Some(LATIN_1[code - 0x00E0]),
        0x0100..=0x017F => Some(LATIN_EXTENDED_A[code - 0x0100]),
        0x1E00..=0x1EFF => Some(LATIN_ADDITIONAL[code - 0x1E00]),
        // The full-width forms of ASCII.
        0xFF01..=0xFF5E => Some(((code - 0xFF01) as u8 + b'!').to_ascii_lowercase()),
        _ => None,
    };
    match base {
        Some(base) if base != b'.' || code >= 0xFF01 => folded.push(base as char),
        _ => folded.push(
            OTHERS
                .iter()
                .find(|(from, _)| *from == character)
                .map_or(character, |(_, to)| *to),
        ),
    }
}

/// Letters that readers write as two.
fn expansion(character: char) -> Option<&'static str> {
    Some(match character {
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        'þ' => "th",
        'ð' => "d",
        'ĳ' => "ij",
        'ŋ' => "ng",
        'ŉ' => "ʼn",
        '\u{FB00}' => "ff",
        '\u{FB01}' => "fi",
        '\u{FB02}' => "fl",
        '\u{FB03}' => "ffi",
        '\u{FB04}' => "ffl",
        '’' => "'",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut folded = String::new();
        text.chars()
            .for_each(|character| push_folded(character, &mut folded));
        folded
    }

    #[test]
    fn accents_case_and_width_do_not_matter() {
        for (written, expected) in [
            ("Crème Brûlée", "creme brulee"),
            ("ÅNGSTRÖM", "angstrom"),
            ("Łódź Ğüneş Çığ", "lodz gunes cig"),
            ("Straße Æsir œuvre", "strasse aesir oeuvre"),
            ("Việt Nam đường", "viet nam duong"),
            ("știință", "stiinta"),
            ("Ελλάδα ΟΔΟΣ", "ελλαδα οδοσ"),
            ("ёлка", "елка"),
            ("ＡＢＣ－１２", "abc-12"),
            ("e\u{301}te\u{301}", "ete"),
            ("İstanbul", "istanbul"),
            ("ﬁlter", "filter"),
            ("ŉ ŊŊ", "ʼn ngng"),
            ("検索", "検索"),
        ] {
            assert_eq!(folded(written), expected, "{written}");
        }
    }

    #[test]
    fn every_letter_of_the_tables_keeps_its_base() {
        // One anchor in each stretch of the tables: a letter too few or too many would shift all that follow.
        for (written, expected) in [
            ('à', "a"),
            ('ç', "c"),
            ('ï', "i"),
            ('ñ', "n"),
            ('ö', "o"),
            ('ø', "o"),
            ('ý', "y"),
            ('ÿ', "y"),
            ('ā', "a"),
            ('ď', "d"),
            ('ę', "e"),
            ('ğ', "g"),
            ('ħ', "h"),
            ('ı', "i"),
            ('ĵ', "j"),
            ('ķ', "k"),
            ('ł', "l"),
            ('ň', "n"),
            ('ő', "o"),
            ('ř', "r"),
            ('š', "s"),
            ('ť', "t"),
            ('ů', "u"),
            ('ŵ', "w"),
            ('ŷ', "y"),
            ('ž', "z"),
            ('ſ', "s"),
            ('ḁ', "a"),
            ('ḃ', "b"),
            ('ḉ', "c"),
            ('ḓ', "d"),
            ('ḝ', "e"),
            ('ḟ', "f"),
            ('ḡ', "g"),
            ('ḫ', "h"),
            ('ḯ', "i"),
            ('ḵ', "k"),
            ('ḽ', "l"),
            ('ṃ', "m"),
            ('ṋ', "n"),
            ('ṓ', "o"),
            ('ṗ', "p"),
            ('ṟ', "r"),
            ('ṩ', "s"),
            ('ṱ', "t"),
            ('ṻ', "u"),
            ('ṿ', "v"),
            ('ẉ', "w"),
            ('ẍ', "x"),
            ('ẏ', "y"),
            ('ẕ', "z"),
            ('ẗ', "t"),
            ('ạ', "a"),
            ('ẹ', "e"),
            ('ị', "i"),
            ('ộ', "o"),
            ('ự', "u"),
            ('ỳ', "y"),
            ('ỹ', "y"),
        ] {
            assert_eq!(folded(&written.to_string()), expected, "{written}");
        }
    }
}
