/* What host and loader say to each other; tb/tools/board/protocol.py is the other side.
 *
 * A frame is  'G', kind, number, length (2), address (4), payload (length), CRC-32 (4)
 * with all numbers little-endian and the CRC over everything between 'G' and itself. The answer is
 * two bytes: FRAME_TAKEN and the number of the frame, or FRAME_REFUSED and the reason.
 *
 * Nothing of a frame is used before its CRC was found right, and writing a frame twice is harmless,
 * so the host repeats a frame until it hears that it was taken. What a packed frame repeats are
 * the up to 64 KiB before its address, which frames before it have written.
 *
 * Away from 115200 baud the loader goes back to that speed when it hears nothing for two seconds.
 */
#ifndef LOADER_PROTOCOL_H
#define LOADER_PROTOCOL_H

#define FRAME_START   'G'
#define FRAME_PAYLOAD 4096 /* bytes at most */

#define FRAME_WRITE  'W' /* payload to address */
#define FRAME_PACKED 'P' /* payload: length, LZ4 block; that unpacked to address */
#define FRAME_ZERO   'Z' /* payload: length; so many zeros to address */
#define FRAME_CHECK  'C' /* payload: length, CRC-32; is that what lies at address? */
#define FRAME_BAUD   'B' /* payload: speed of the line from the answer on */
#define FRAME_ENTER  'E' /* start the program at address */

#define FRAME_TAKEN   0x06
#define FRAME_REFUSED 0x15

#define REASON_TIMEOUT 't' /* the frame stopped before its end */
#define REASON_LENGTH  'l' /* more payload than FRAME_PAYLOAD */
#define REASON_CRC     'c' /* frame damaged */
#define REASON_ADDRESS 'a' /* outside of lowmem */
#define REASON_KIND    'k' /* no such kind, or its payload has the wrong length */
#define REASON_IMAGE   'i' /* FRAME_CHECK: memory holds something else */
#define REASON_PACKED  'p' /* FRAME_PACKED: no LZ4 block of this length */
#define REASON_BAUD    'b' /* FRAME_BAUD: two percent off, or too fast to be sampled */

#endif
