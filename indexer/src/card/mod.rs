//! The picture of a page that other sites show beside a link to it.
//!
//! What all pictures share is drawn once, from an SVG. A page adds lines of text; their glyphs are drawn once each and
//! put into the picture as they are. So a thousand pages take seconds, not minutes, and the same page gives the same
//! bytes.

mod text;

use std::borrow::Cow;

use resvg::{tiny_skia, usvg};

use text::{Face, Line, Typesetter};

/// What a picture says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CardWords<'a> {
    /// The name of the site.
    pub(crate) site: &'a str,
    /// The section of the page; may be empty.
    pub(crate) section: &'a str,
    /// The title of the page.
    pub(crate) title: &'a str,
    /// A sentence about it; may be empty.
    pub(crate) description: &'a str,
}

/// What a picture may take.
const MOST_BYTES: usize = 30_000;
const WIDTH: usize = 1200;
const HEIGHT: usize = 630;
const BACKGROUND: &str = include_str!("../../assets/card.svg");

/// A colour on the ground: how many steps lead to it, and where the first of them stands in the palette.
#[derive(Clone, Copy)]
struct Color {
    rgb: [u8; 3],
    steps: u8,
    first: u8,
}

/// The ground and the colours on it: sixteen steps in all, so that two pixels fit into a byte.
const GROUND: [u8; 3] = [0x17, 0x13, 0x10];
const SHADE: Color = Color {
    rgb: [0x2b, 0x22, 0x1c],
    steps: 2,
    first: 1,
};
const ACCENT: Color = Color {
    rgb: [0xe2, 0x70, 0x3a],
    steps: 4,
    first: 3,
};
const STRONG: Color = Color {
    rgb: [0xf4, 0xee, 0xe6],
    steps: 5,
    first: 7,
};
const QUIET: Color = Color {
    rgb: [0xb9, 0xae, 0xa3],
    steps: 4,
    first: 12,
};

const LEFT: f32 = 72.0;
const MEASURE: f32 = 1010.0;
const TITLE_SIZES: [f32; 3] = [84.0, 68.0, 54.0];
const TITLE_LINES: usize = 3;
const DESCRIPTION_LINES: usize = 2;

/// Draws pictures.
pub(crate) struct Cards {
    /// A picture without words: for each pixel its place in the palette.
    background: Vec<u8>,
    palette: Vec<u8>,
    typesetter: Typesetter,
}

impl std::fmt::Debug for Cards {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Cards")
    }
}

impl Cards {
    pub(crate) fn new() -> Self {
        let palette = palette();
        Self {
            background: background(&palette),
            palette: palette.concat(),
            typesetter: Typesetter::new(),
        }
    }

    /// The picture as a PNG. What the typeface cannot write is left out.
    pub(crate) fn draw(&mut self, words: CardWords<'_>) -> Vec<u8> {
        let mut pixels = self.background.clone();
        let mut put = |typesetter: &mut Typesetter, line: &Line, x: f32, baseline: f32, color: Color| {
            typesetter.put(line, x, baseline, |x, y, coverage| {
                blend(&mut pixels, x, y, coverage, color);
            });
        };
        let typesetter = &mut self.typesetter;
        let site = typesetter.line(words.site, Face::SemiBold, 38.0, 900.0);
        put(typesetter, &site, 152.0, 110.0, STRONG);

        let (size, title) = title_lines(typesetter, words.title);
        let description =
            typesetter.lines(words.description, Face::Regular, 31.0, MEASURE, DESCRIPTION_LINES);
        let leading = size * 1.16;
        // The words stand on the lower edge, as much as there are of them.
        let mut baseline = HEIGHT as f32 - 68.0;
        for line in description.iter().rev() {
            put(typesetter, line, LEFT, baseline, QUIET);
            baseline -= 44.0;
        }
        baseline -= if description.is_empty() { 0.0 } else { 22.0 };
        for line in title.iter().rev() {
            put(typesetter, line, LEFT, baseline, STRONG);
            baseline -= leading;
        }
        if !words.section.is_empty() && words.section != words.site {
            let above = baseline + leading - size * 0.98 - 26.0;
            let section = typesetter.line(words.section, Face::SemiBold, 30.0, MEASURE);
            put(typesetter, &section, LEFT, above, ACCENT);
        }
        self.png(&pixels)
    }

    fn png(&self, pixels: &[u8]) -> Vec<u8> {
        let packed: Vec<u8> = pixels
            .chunks_exact(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect();
        let quick = self.encoded(&packed, png::Compression::Fast);
        // Seldom: many words. The other way takes ten times as long.
        if quick.len() > MOST_BYTES {
            return self.encoded(&packed, png::Compression::Balanced);
        }
        quick
    }

    fn encoded(&self, packed: &[u8], compression: png::Compression) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, WIDTH as u32, HEIGHT as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Four);
        encoder.set_palette(Cow::Borrowed(self.palette.as_slice()));
        encoder.set_compression(compression);
        encoder.set_filter(png::Filter::Up);
        let written = encoder
            .write_header()
            .and_then(|mut writer| writer.write_image_data(packed));
        written.expect("memory takes everything, and the picture has the size that its header says");
        bytes
    }
}

/// The title in the largest size in which it is short enough.
fn title_lines(typesetter: &mut Typesetter, title: &str) -> (f32, Vec<Line>) {
    for size in TITLE_SIZES {
        let lines = typesetter.lines(title, Face::SemiBold, size, MEASURE, TITLE_LINES + 1);
        let most = if size == TITLE_SIZES[0] { 2 } else { TITLE_LINES };
        if lines.len() <= most {
            return (size, lines);
        }
    }
    let size = TITLE_SIZES[TITLE_SIZES.len() - 1];
    (
        size,
        typesetter.lines(title, Face::SemiBold, size, MEASURE, TITLE_LINES),
    )
}

/// The ground, then the steps to each colour.
fn palette() -> Vec<[u8; 3]> {
    let mut palette = vec![GROUND];
    for color in [SHADE, ACCENT, STRONG, QUIET] {
        for step in 1..=u16::from(color.steps) {
            palette.push(std::array::from_fn(|channel| {
                let (from, to) = (u16::from(GROUND[channel]), u16::from(color.rgb[channel]));
                let steps = u16::from(color.steps);
                ((from * (steps - step) + to * step) / steps) as u8
            }));
        }
    }
    palette
}

/// Where a colour of a coverage stands in the palette; 0 is the ground.
fn index(color: Color, coverage: u8) -> u8 {
    let step = (u16::from(coverage) * u16::from(color.steps) + 127) / 255;
    if step == 0 {
        0
    } else {
        color.first + step as u8 - 1
    }
}

fn blend(pixels: &mut [u8], x: i32, y: i32, coverage: u8, color: Color) {
    let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else {
        return;
    };
    let place = index(color, coverage);
    if x < WIDTH && y < HEIGHT && place > 0 {
        pixels[y * WIDTH + x] = place;
    }
}

/// The SVG in the colours of the palette.
fn background(palette: &[[u8; 3]]) -> Vec<u8> {
    let tree =
        usvg::Tree::from_str(BACKGROUND, &usvg::Options::default()).expect("our own SVG is well-formed");
    let mut pixmap =
        tiny_skia::Pixmap::new(WIDTH as u32, HEIGHT as u32).expect("the size is neither zero nor immense");
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    let mut last = (GROUND, 0);
    pixmap
        .pixels()
        .iter()
        .map(|pixel| {
            let color = [pixel.red(), pixel.green(), pixel.blue()];
            if last.0 != color {
                last = (color, nearest(palette, color));
            }
            last.1
        })
        .collect()
}

fn nearest(palette: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> i32 {
        (0..3)
            .map(|channel| (i32::from(other[channel]) - i32::from(color[channel])).pow(2))
            .sum()
    };
    let found = palette
        .iter()
        .enumerate()
        .min_by_key(|(_, other)| distance(other))
        .map_or(0, |(index, _)| index);
    found as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: CardWords<'static> = CardWords {
        site: "siftwren",
        section: "Metrics",
        title: "Normalized discounted cumulative gain",
        description: "How close a ranked list comes to the best order of the same items.",
    };

    fn pixels(bytes: &[u8]) -> Vec<u8> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (1200, 630));
        pixels.iter().flat_map(|pair| [pair >> 4, pair & 15]).collect()
    }

    #[test]
    fn a_picture_is_small_and_the_same_every_time() {
        let first = Cards::new().draw(WORDS);
        assert!(first.len() <= MOST_BYTES, "{} bytes", first.len());
        let mut cards = Cards::new();
        cards.draw(CardWords {
            title: "Another",
            ..WORDS
        });
        assert_eq!(first, cards.draw(WORDS));
    }

    #[test]
    fn the_words_are_in_the_picture() {
        let mut cards = Cards::new();
        let blank = CardWords {
            site: "",
            section: "",
            title: "",
            description: "",
        };
        let ink = |picture: &[u8], color: Color| {
            let full = index(color, 255);
            pixels(picture).iter().filter(|pixel| **pixel == full).count()
        };
        let without = cards.draw(blank);
        let with = cards.draw(WORDS);
        assert_eq!(ink(&without, STRONG), 0);
        assert!(ink(&with, STRONG) > 5_000);
        assert!(ink(&with, QUIET) > 1_000);
        assert!(ink(&with, ACCENT) > ink(&without, ACCENT));
    }

    #[test]
    fn long_and_unwritable_words_do_no_harm() {
        let mut cards = Cards::new();
        let endless = "wwwwwwwwww".repeat(400);
        for title in [
            endless.as_str(),
            "検索 🐦",
            "a\u{0}b\u{202e}c",
            "Żółć, Ελλάδα, Привет",
        ] {
            let picture = cards.draw(CardWords {
                title,
                description: &endless,
                ..WORDS
            });
            assert!(picture.len() <= MOST_BYTES, "{} bytes", picture.len());
        }
    }
}
