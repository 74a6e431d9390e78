// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {BoxofficeTickets} from "../../infra/contracts/BoxofficeTickets.sol";
import {IERC5192} from "../../infra/contracts/IERC5192.sol";

/// @dev Reads, in one call, all that the property test compares with its model after every step.
contract Lens {
    struct View {
        uint256[] quantities;
        address[] owners;
        address[] approved;
        bool[] locked;
        uint256[] balances;
        bool[] operators;
    }

    /// @return state The minted quantity of each order; owner, approved address and lock of each of its ids with one
    /// of the indexes, zero where the contract reverts; the balance of each account; and for each pair
    /// of accounts whether the second is an operator of the first.
    function read(
        BoxofficeTickets tickets,
        bytes32[] calldata orderKeys,
        uint256[] calldata indexes,
        address[] calldata accounts
    ) external view returns (View memory state) {
        state.quantities = new uint256[](orderKeys.length);
        state.owners = new address[](orderKeys.length * indexes.length);
        state.approved = new address[](orderKeys.length * indexes.length);
        state.locked = new bool[](orderKeys.length * indexes.length);
        for (uint256 order = 0; order < orderKeys.length; ++order) {
            state.quantities[order] = tickets.mintedQuantity(orderKeys[order]);
            for (uint256 index = 0; index < indexes.length; ++index) {
                uint256 tokenId = tickets.firstTokenId(orderKeys[order]) + indexes[index];
                uint256 place = order * indexes.length + index;
                state.owners[place] = toAddress(zeroOnRevert(tickets, abi.encodeCall(IERC721.ownerOf, (tokenId))));
                state.approved[place] =
                    toAddress(zeroOnRevert(tickets, abi.encodeCall(IERC721.getApproved, (tokenId))));
                state.locked[place] = zeroOnRevert(tickets, abi.encodeCall(IERC5192.locked, (tokenId))) != 0;
            }
        }
        state.balances = new uint256[](accounts.length);
        state.operators = new bool[](accounts.length * accounts.length);
        for (uint256 owner = 0; owner < accounts.length; ++owner) {
            state.balances[owner] = tickets.balanceOf(accounts[owner]);
            for (uint256 other = 0; other < accounts.length; ++other) {
                state.operators[owner * accounts.length + other] =
                    tickets.isApprovedForAll(accounts[owner], accounts[other]);
            }
        }
    }

    function zeroOnRevert(BoxofficeTickets tickets, bytes memory data) private view returns (uint256) {
        (bool succeeded, bytes memory answer) = address(tickets).staticcall(data);
        return succeeded ? abi.decode(answer, (uint256)) : 0;
    }

    function toAddress(uint256 word) private pure returns (address) {
        return address(uint160(word));
    }
}
