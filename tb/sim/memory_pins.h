// The system's memory port as plain data, so that one memory can stand in front
// of another.
#pragma once
#include <cstdint>

struct MemoryPins {
  struct Command {
    bool valid, ready;
    uint64_t addr;
    uint8_t id, len, size, burst;
  } ar, aw;
  struct WriteData {
    bool valid, ready, last;
    uint32_t data;
    uint8_t strb;
  } w;
  struct ReadData {
    bool valid, ready, last;
    uint32_t data;
    uint8_t id, resp;
  } r;
  struct WriteAnswer {
    bool valid, ready;
    uint8_t id, resp;
  } b;

  // What the system drives.
  template <class Top> void load(const Top &top) {
    ar.valid = top.memory_ar_valid;
    aw.valid = top.memory_aw_valid;
    w.valid = top.memory_w_valid;
    r.ready = top.memory_r_ready;
    b.ready = top.memory_b_ready;
    if (ar.valid)
      ar = {true,
            ar.ready,
            top.memory_ar_payload_addr,
            top.memory_ar_payload_id,
            top.memory_ar_payload_len,
            top.memory_ar_payload_size,
            top.memory_ar_payload_burst};
    if (aw.valid)
      aw = {true,
            aw.ready,
            top.memory_aw_payload_addr,
            top.memory_aw_payload_id,
            top.memory_aw_payload_len,
            top.memory_aw_payload_size,
            top.memory_aw_payload_burst};
    if (w.valid)
      w = {true, w.ready, bool(top.memory_w_payload_last),
           top.memory_w_payload_data, top.memory_w_payload_strb};
  }
  // What the memory answers.
  template <class Top> void store(Top &top) const {
    top.memory_ar_ready = ar.ready;
    top.memory_aw_ready = aw.ready;
    top.memory_w_ready = w.ready;
    top.memory_r_valid = r.valid;
    top.memory_r_payload_data = r.data;
    top.memory_r_payload_id = r.id;
    top.memory_r_payload_resp = r.resp;
    top.memory_r_payload_last = r.last;
    top.memory_b_valid = b.valid;
    top.memory_b_payload_id = b.id;
    top.memory_b_payload_resp = b.resp;
  }
};
